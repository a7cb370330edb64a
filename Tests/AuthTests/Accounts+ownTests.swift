import Auth
import Foundation
import HTTP
import TestDatabase
import Testing

@Suite(
    "Auth / a user's own account", .enabled(if: TestDatabase.isAvailable, "needs the server that deploy/test starts"))
struct OwnAccountTests {
    private let fixture: AccountsFixture

    init() throws { fixture = try AccountsFixture() }

    private func update(_ session: [String: Any], _ body: String) throws -> [String: Any] {
        try fixture.object(fixture.accounts().update(try fixture.caller(session), Array(body.utf8)))
    }

    private func list(_ response: Response) throws -> [[String: Any]] {
        try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [[String: Any]])
    }

    @Test("metadata is merged by key, and null removes a key")
    func metadata() throws {
        let session = try fixture.signUp()
        _ = try update(session, #"{"data":{"name":"Ann","shoe":41}}"#)
        let user = try update(session, #"{"data":{"shoe":null,"likes":["tea"]}}"#)
        let metadata = try #require(user["user_metadata"] as? [String: Any])
        #expect(Set(metadata.keys) == ["name", "likes"])
    }

    @Test(
        "members that a user may not change are ignored",
        arguments: [
            #"{"app_metadata":{"admin":true}}"#, #"{"role":"service_role"}"#,
            #"{"id":"00000000-0000-0000-0000-000000000000"}"#,
            #"{"email_confirmed_at":null}"#, #"{"data":"text"}"#, #"{"data":null}"#, "{}",
        ])
    func others(body: String) throws {
        let session = try fixture.signUp()
        let user = try update(session, body)
        let before = try #require(session["user"] as? [String: Any])
        for name in ["id", "role", "email", "email_confirmed_at"] {
            #expect(user[name] as? String == before[name] as? String)
        }
        #expect((user["app_metadata"] as? [String: Any])?["admin"] == nil)
        #expect((user["user_metadata"] as? [String: Any])?.isEmpty == true)
    }

    @Test("a new password replaces the old one and ends the other sessions")
    func password() throws {
        let mine = try fixture.signUp()
        let other = try fixture.signIn()
        _ = try update(mine, #"{"password":"another horse"}"#)
        #expect(throws: AuthError.invalidCredentials) { try fixture.signIn() }
        _ = try fixture.signIn("ann@example.org", "another horse")
        #expect(throws: AuthError.refreshTokenNotFound) {
            try fixture.refresh(try fixture.text(other, "refresh_token"))
        }
        _ = try fixture.refresh(try fixture.text(mine, "refresh_token"))
    }

    @Test(
        "the same, a short and a common password are refused",
        arguments: [
            ("secret1", AuthError.samePassword), ("short", .weakPassword(.length)),
            ("letmein123", .weakPassword(.common)),
        ])
    func badPasswords(password: String, error: AuthError) throws {
        let session = try fixture.signUp()
        #expect(throws: error) { try update(session, #"{"password":"\#(password)"}"#) }
    }

    @Test(
        "the address of another user is refused in any spelling",
        arguments: [
            "BEN@example.org", "ben@EXAMPLE.org", "\u{FF42}en@example.org",
        ])
    func takenAddress(email: String) throws {
        _ = try fixture.signUp("ben@example.org")
        let session = try fixture.signUp()
        #expect(throws: AuthError.emailExists) { try update(session, #"{"email":"\#(email)"}"#) }
    }

    @Test("deleting an account requires the password and removes everything")
    func deletion() throws {
        let session = try fixture.signUp()
        let caller = try fixture.caller(session)
        #expect(throws: AuthError.self) { try fixture.accounts().delete(caller, Array("{}".utf8)) }
        #expect(throws: AuthError.invalidCredentials) {
            try fixture.accounts().delete(caller, Array(#"{"password":"wrong horse"}"#.utf8))
        }
        #expect(try fixture.accounts().delete(caller, Array(#"{"password":"secret1"}"#.utf8)).status == 204)
        #expect(try fixture.admin("select count(*) from auth.users").int(0, 0) == 0)
        #expect(throws: AuthError.self) { try fixture.accounts().user(caller) }
    }

    @Test("sessions are listed with their device and can be ended")
    func sessions() throws {
        let mine = try fixture.signUp()
        _ = try fixture.signIn(from: "198.51.100.7", agent: "phone")
        let caller = try fixture.caller(mine)
        let listed = try list(fixture.accounts().sessions(caller))
        #expect(Set(listed.compactMap { $0["user_agent"] as? String }) == ["tests", "phone"])
        #expect(listed.filter { $0["current"] as? Bool == true }.count == 1)
        let phone = try #require(listed.first { $0["user_agent"] as? String == "phone" })
        #expect(try fixture.accounts().endSession(caller, try fixture.text(phone, "id")).status == 204)
        #expect(try list(fixture.accounts().sessions(caller)).count == 1)
        #expect(throws: AuthError.noSuch("session")) { try fixture.accounts().endSession(caller, "x") }
    }

    @Test("a personal API token is shown once and stored as a hash")
    func tokens() throws {
        let caller = try fixture.caller(try fixture.signUp())
        let form = Array(#"{"name":"e-reader","scope":"read","expires_in":3600}"#.utf8)
        let made = try fixture.object(fixture.accounts().makeToken(caller, form))
        let text = try fixture.text(made, "token")
        let prefix = try fixture.text(made, "prefix")
        #expect(text.hasPrefix("lct_") && text.count == 47 && text.hasPrefix(prefix))
        let listed = try list(fixture.accounts().tokens(caller))
        #expect(listed.count == 1 && listed[0]["token"] == nil)
        let hash = try fixture.admin("select encode(token_hash, 'hex') from auth.api_tokens").text(0, 0)
        #expect(hash == PersonalToken(text)?.hash)
        #expect(try fixture.accounts().revokeToken(caller, try fixture.text(made, "id")).status == 204)
        #expect(try list(fixture.accounts().tokens(caller)).isEmpty)
    }

    @Test(
        "a token requires a name, a scope and a valid expiry",
        arguments: [
            "{}", #"{"name":"x"}"#, #"{"name":"","scope":"read"}"#, #"{"name":"x","scope":"everything"}"#,
            #"{"name":"x","scope":"read","expires_in":-1}"#,
            #"{"name":"\#(String(repeating: "x", count: 101))","scope":"read"}"#,
        ])
    func badTokens(body: String) throws {
        let caller = try fixture.caller(try fixture.signUp())
        let error = #expect(throws: AuthError.self) { try fixture.accounts().makeToken(caller, Array(body.utf8)) }
        #expect(error?.code == "validation_failed")
    }

    @Test("the audit log lists changes of the account without secrets")
    func audit() throws {
        let session = try fixture.signUp()
        _ = try update(session, #"{"password":"another horse"}"#)
        let response = try fixture.accounts().audit(try fixture.caller(session))
        #expect(
            try list(response).compactMap { $0["action"] as? String } == [
                "password_changed", "signed_in", "user_created",
            ])
        #expect(!String(decoding: response.body, as: UTF8.self).contains("argon2"))
    }
}
