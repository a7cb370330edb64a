import Auth
import Foundation
import HTTP
import TestDatabase
import Testing

@Suite("Auth / a user's own account", .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct OwnAccountTests {
    private let stand: AccountsStand

    init() throws { stand = try AccountsStand() }

    private func update(_ session: [String: Any], _ body: String) throws -> [String: Any] {
        try stand.object(stand.accounts().update(try stand.caller(session), Array(body.utf8)))
    }

    private func list(_ response: Response) throws -> [[String: Any]] {
        try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [[String: Any]])
    }

    @Test("metadata is merged key by key, and a null takes its key away")
    func metadata() throws {
        let session = try stand.signUp()
        _ = try update(session, #"{"data":{"name":"Ann","shoe":41}}"#)
        let user = try update(session, #"{"data":{"shoe":null,"likes":["tea"]}}"#)
        let metadata = try #require(user["user_metadata"] as? [String: Any])
        #expect(Set(metadata.keys) == ["name", "likes"])
    }

    @Test("what is not the user's to change stays", arguments: [
        #"{"app_metadata":{"admin":true}}"#, #"{"role":"service_role"}"#, #"{"id":"00000000-0000-0000-0000-000000000000"}"#,
        #"{"email_confirmed_at":null}"#, #"{"data":"text"}"#, #"{"data":null}"#, "{}",
    ])
    func others(body: String) throws {
        let session = try stand.signUp()
        let user = try update(session, body)
        let before = try #require(session["user"] as? [String: Any])
        for name in ["id", "role", "email", "email_confirmed_at"] { #expect(user[name] as? String == before[name] as? String) }
        #expect((user["app_metadata"] as? [String: Any])?["admin"] == nil)
        #expect((user["user_metadata"] as? [String: Any])?.isEmpty == true)
    }

    @Test("a new password is taken from then on, and ends the other sessions")
    func password() throws {
        let mine = try stand.signUp()
        let other = try stand.signIn()
        _ = try update(mine, #"{"password":"another horse"}"#)
        #expect(throws: AuthError.invalidCredentials) { try stand.signIn() }
        _ = try stand.signIn("ann@example.org", "another horse")
        #expect(throws: AuthError.refreshTokenNotFound) { try stand.refresh(try stand.text(other, "refresh_token")) }
        _ = try stand.refresh(try stand.text(mine, "refresh_token"))
    }

    @Test("the same password, a short one and a common one are no new password", arguments: [
        ("secret1", AuthError.samePassword), ("short", .weakPassword(.length)), ("letmein123", .weakPassword(.common)),
    ])
    func badPasswords(password: String, error: AuthError) throws {
        let session = try stand.signUp()
        #expect(throws: error) { try update(session, #"{"password":"\#(password)"}"#) }
    }

    @Test("an address somebody else has is refused, in any spelling", arguments: [
        "BEN@example.org", "ben@EXAMPLE.org", "\u{FF42}en@example.org",
    ])
    func takenAddress(email: String) throws {
        _ = try stand.signUp("ben@example.org")
        let session = try stand.signUp()
        #expect(throws: AuthError.emailExists) { try update(session, #"{"email":"\#(email)"}"#) }
    }

    @Test("deleting needs the password, and leaves nothing")
    func deletion() throws {
        let session = try stand.signUp()
        let caller = try stand.caller(session)
        #expect(throws: AuthError.self) { try stand.accounts().delete(caller, Array("{}".utf8)) }
        #expect(throws: AuthError.invalidCredentials) {
            try stand.accounts().delete(caller, Array(#"{"password":"wrong horse"}"#.utf8))
        }
        #expect(try stand.accounts().delete(caller, Array(#"{"password":"secret1"}"#.utf8)).status == 204)
        #expect(try stand.admin("select count(*) from auth.users").int(0, 0) == 0)
        #expect(throws: AuthError.self) { try stand.accounts().user(caller) }
    }

    @Test("sessions are listed with their device, and each can be ended")
    func sessions() throws {
        let mine = try stand.signUp()
        _ = try stand.signIn(from: "198.51.100.7", agent: "phone")
        let caller = try stand.caller(mine)
        let listed = try list(stand.accounts().sessions(caller))
        #expect(Set(listed.compactMap { $0["user_agent"] as? String }) == ["tests", "phone"])
        #expect(listed.filter { $0["current"] as? Bool == true }.count == 1)
        let phone = try #require(listed.first { $0["user_agent"] as? String == "phone" })
        #expect(try stand.accounts().endSession(caller, try stand.text(phone, "id")).status == 204)
        #expect(try list(stand.accounts().sessions(caller)).count == 1)
        #expect(throws: AuthError.noSuch("session")) { try stand.accounts().endSession(caller, "x") }
    }

    @Test("a personal API token is shown once and kept as a hash")
    func tokens() throws {
        let caller = try stand.caller(try stand.signUp())
        let form = Array(#"{"name":"e-reader","scope":"read","expires_in":3600}"#.utf8)
        let made = try stand.object(stand.accounts().makeToken(caller, form))
        let text = try stand.text(made, "token")
        let prefix = try stand.text(made, "prefix")
        #expect(text.hasPrefix("lct_") && text.count == 47 && text.hasPrefix(prefix))
        let listed = try list(stand.accounts().tokens(caller))
        #expect(listed.count == 1 && listed[0]["token"] == nil)
        let hash = try stand.admin("select encode(token_hash, 'hex') from auth.api_tokens").text(0, 0)
        #expect(hash == PersonalToken(text)?.hash)
        #expect(try stand.accounts().revokeToken(caller, try stand.text(made, "id")).status == 204)
        #expect(try list(stand.accounts().tokens(caller)).isEmpty)
    }

    @Test("a token needs a name, a scope and a sensible end", arguments: [
        "{}", #"{"name":"x"}"#, #"{"name":"","scope":"read"}"#, #"{"name":"x","scope":"everything"}"#,
        #"{"name":"x","scope":"read","expires_in":-1}"#, #"{"name":"\#(String(repeating: "x", count: 101))","scope":"read"}"#,
    ])
    func badTokens(body: String) throws {
        let caller = try stand.caller(try stand.signUp())
        let error = #expect(throws: AuthError.self) { try stand.accounts().makeToken(caller, Array(body.utf8)) }
        #expect(error?.code == "validation_failed")
    }

    @Test("what happened to the account can be read, without secrets")
    func audit() throws {
        let session = try stand.signUp()
        _ = try update(session, #"{"password":"another horse"}"#)
        let response = try stand.accounts().audit(try stand.caller(session))
        #expect(try list(response).compactMap { $0["action"] as? String } == ["password_changed", "signed_in", "user_created"])
        #expect(!String(decoding: response.body, as: UTF8.self).contains("argon2"))
    }
}
