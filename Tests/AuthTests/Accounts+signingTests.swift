import Auth
import Crypto
import Foundation
import HTTP
import TestDatabase
import Testing

@Suite("Auth / signing up, in, on and out", .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct SigningTests {
    private let stand: AccountsStand

    init() throws { stand = try AccountsStand() }

    @Test("signing up opens a session whose token names the new user")
    func signUpOpensSession() throws {
        let session = try stand.signUp()
        let caller = try stand.caller(session)
        let user = try #require(session["user"] as? [String: Any])
        #expect(caller.userID == user["id"] as? String)
        #expect(user["email"] as? String == "Ann@Example.org")
        #expect(session["token_type"] as? String == "bearer")
        #expect(session["expires_in"] as? Int == 3_600)
        #expect(user.keys.allSatisfy { !$0.contains("password") })
    }

    @Test("an address is taken whatever its case")
    func taken() throws {
        _ = try stand.signUp()
        #expect(throws: AuthError.userAlreadyExists) { _ = try stand.signUp("ANN@example.ORG") }
    }

    @Test("a form that cannot be an account is refused with its reason", arguments: [
        (#"{"email":"a@b.org","password":"12345"}"#, AuthError.weakPassword(.length)),
        (#"{"password":"123456"}"#, .anonymousProviderDisabled), (#"{}"#, .anonymousProviderDisabled), ("[]", .badJSON),
        ("", .badJSON), (#"{"email":5,"password":"123456"}"#, .badJSON),
    ])
    func badForms(body: String, error: AuthError) {
        #expect(throws: error) { _ = try stand.accounts().signUp(Array(body.utf8)) }
    }

    @Test("an address that cannot be one, no password and one too long are validation failures", arguments: [
        #"{"email":"nobody","password":"123456"}"#, #"{"email":"a b@c.org","password":"123456"}"#,
        #"{"email":"a@b.org"}"#, #"{"email":"a@b.org","password":"\#(String(repeating: "x", count: 73))"}"#,
        #"{"email":"a@b@c.org","password":"123456"}"#, #"{"email":"@c.org","password":"123456"}"#,
    ])
    func validation(body: String) {
        let error = #expect(throws: AuthError.self) {
            _ = try stand.accounts().signUp(Array(body.utf8))
        }
        #expect(error?.code == "validation_failed")
    }

    @Test("signing in needs the right password, and an unknown address looks like a wrong one")
    func signIn() throws {
        _ = try stand.signUp()
        func attempt(_ email: String, _ password: String) throws -> Response {
            try stand.accounts().signIn(
                Array(#"{"email":"\#(email)","password":"\#(password)"}"#.utf8))
        }
        #expect(try attempt("ann@example.org", "secret1").status == 200)
        #expect(throws: AuthError.invalidCredentials) { _ = try attempt("ann@example.org", "secret2") }
        #expect(throws: AuthError.invalidCredentials) { _ = try attempt("bob@example.org", "secret1") }
    }

    @Test("a refresh token works once, then its successor does")
    func rotation() throws {
        let first = try stand.text(try stand.signUp(), "refresh_token")
        let second = try stand.text(try stand.refresh(first), "refresh_token")
        #expect(second != first)
        #expect(try stand.text(try stand.refresh(second), "refresh_token") != second)
    }

    @Test("the parent of the newest token gets the newest again: its answer may have been lost")
    func parentReuse() throws {
        let first = try stand.text(try stand.signUp(), "refresh_token")
        let second = try stand.text(try stand.refresh(first), "refresh_token")
        #expect(try stand.text(try stand.refresh(first), "refresh_token") == second)
    }

    @Test("an older token, long after its use, ends the whole session")
    func replay() throws {
        let first = try stand.text(try stand.signUp(), "refresh_token")
        let third = try stand.text(try stand.refresh(try stand.text(try stand.refresh(first), "refresh_token")), "refresh_token")
        _ = try stand.admin("update auth.refresh_tokens set used_at = used_at - interval '11 seconds'")
        #expect(throws: AuthError.refreshTokenAlreadyUsed) { _ = try stand.refresh(first) }
        #expect(throws: AuthError.refreshTokenNotFound) { _ = try stand.refresh(third) }
    }

    @Test("tokens nobody made are not found", arguments: ["x", "", "AAAA", String(repeating: "A", count: 48)])
    func foreign(token: String) {
        #expect(throws: AuthError.self) { _ = try stand.refresh(token) }
    }

    @Test("signing out ends the sessions its scope names", arguments: [("global", [false, false]), ("local", [false, true]), ("others", [true, false])])
    func scopes(scope: String, alive: [Bool]) throws {
        let mine = try stand.signUp()
        let other = try stand.object(
            stand.accounts().signIn(Array(#"{"email":"ann@example.org","password":"secret1"}"#.utf8)))
        let caller = try stand.caller(mine)
        #expect(try stand.accounts().signOut(caller, scope: scope).status == 204)
        for (session, isAlive) in zip([mine, other], alive) {
            let token = try stand.text(session, "refresh_token")
            #expect(((try? stand.refresh(token)) != nil) == isAlive)
        }
    }

    @Test("after signing out, the access token no longer shows the user")
    func userAfterLogout() throws {
        let caller = try stand.caller(try stand.signUp())
        #expect(try stand.accounts().user(caller).status == 200)
        _ = try stand.accounts().signOut(caller, scope: nil)
        #expect(throws: AuthError.sessionNotFound) { _ = try stand.accounts().user(caller) }
    }

    @Test("metadata too large for a token stays in the user object only")
    func boundedMetadata() throws {
        let name = String(repeating: "n", count: 10_000)
        let session = try stand.object(
            stand.accounts().signUp(
                Array(#"{"email":"a@b.org","password":"secret1","data":{"name":"\#(name)"}}"#.utf8)))
        #expect(try stand.text(session, "access_token").count < 3_000)
        let user = try #require(session["user"] as? [String: Any])
        #expect((user["user_metadata"] as? [String: Any])?["name"] as? String == name)
    }

    @Test("errors have the shape of the client's API version")
    func shapes() throws {
        let old = try stand.object(AuthError.invalidCredentials.response(version: nil))
        #expect(old["code"] as? Int == 400 && old["error_code"] as? String == "invalid_credentials")
        let new = AuthError.weakPassword(.length).response(version: "2024-01-01")
        #expect(try stand.object(new)["code"] as? String == "weak_password")
        #expect(new.headers["x-supabase-api-version"] == "2024-01-01")
        #expect(try stand.object(new)["weak_password"] as? [String: [String]] == ["reasons": ["length"]])
    }

    @Test("a password hashed with less work than today's is hashed anew at the next sign-in, and only then")
    func rehashing() throws {
        _ = try stand.signUp()
        func hash() throws -> String? { try stand.admin("select encrypted_password from auth.users").text(0, 0) }
        var weaker = PasswordHash()
        weaker.memory = 64
        _ = try stand.admin("update auth.users set encrypted_password = \(weaker.encode("secret1"))")
        _ = try stand.signIn()
        let renewed = try hash()
        #expect(renewed?.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$") == true)
        _ = try stand.signIn()
        #expect(try hash() == renewed)
        let audited = try stand.admin("select count(*) from auth.audit_log where action = 'password_changed'")
        // The one line is the update above; hashing anew is no change.
        #expect(audited.int(0, 0) == 1)
    }
}
