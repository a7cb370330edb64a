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

    /// Makes every session look as if it had been opened six minutes ago.
    private func age() throws {
        _ = try fixture.admin("update auth.sessions set created_at = now() - interval '6 minutes'")
    }

    @Test(
        "a new password and a new address need the current password when the sign-in was long ago",
        arguments: [#""password":"another horse""#, #""email":"new@example.org""#])
    func presence(change: String) throws {
        let session = try fixture.signUp()
        try age()
        #expect(throws: AuthError.reauthenticationNeeded(member: "current_password")) {
            try update(session, "{\(change)}")
        }
        #expect(throws: AuthError.invalidCredentials) {
            try update(session, #"{\#(change),"current_password":"wrong horse"}"#)
        }
        _ = try update(session, #"{"data":{"name":"Ann"}}"#)
        _ = try update(session, #"{"email":"Ann@Example.org"}"#)
        _ = try update(session, #"{\#(change),"current_password":"secret1"}"#)
    }

    @Test("a right password given for a change does not count as an attempt to guess it")
    func countedPasswords() throws {
        var limited = fixture
        limited.rules.isLimited = true
        let caller = try limited.caller(try limited.signUp())
        try age()
        for number in 1...8 {
            let form = Array(#"{"name":"\#(number)","scope":"read","password":"secret1"}"#.utf8)
            #expect(try limited.accounts().makeToken(caller, form).status == 201)
        }
    }

    @Test("a new password revokes the API tokens if the request says so", arguments: [true, false])
    func revocation(revokes: Bool) throws {
        let session = try fixture.signUp()
        let form = Array(#"{"name":"x","scope":"feed"}"#.utf8)
        _ = try fixture.accounts().makeToken(try fixture.caller(session), form)
        _ = try update(session, #"{"password":"another horse","revoke_tokens":\#(revokes)}"#)
        #expect(try fixture.admin("select count(*) from auth.api_tokens").int(0, 0) == (revokes ? 0 : 1))
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
