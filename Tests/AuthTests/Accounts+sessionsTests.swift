import Auth
import Crypto
import Foundation
import HTTP
import TestDatabase
import Testing

@Suite(
    "Auth / sign-up, sign-in, refresh and sign-out",
    .enabled(if: TestDatabase.isAvailable, "needs the server that deploy/test starts"))
struct SessionsTests {
    private let fixture: AccountsFixture

    init() throws { fixture = try AccountsFixture() }

    @Test("a sign-up opens a session for the new user")
    func signUpOpensSession() throws {
        let session = try fixture.signUp()
        let caller = try fixture.caller(session)
        let user = try #require(session["user"] as? [String: Any])
        #expect(caller.userID == user["id"] as? String)
        #expect(user["email"] as? String == "Ann@Example.org")
        #expect(session["token_type"] as? String == "bearer")
        #expect(session["expires_in"] as? Int == 3_600)
        #expect(user.keys.allSatisfy { !$0.contains("password") })
    }

    @Test("with first, the first account may be opened by anybody and is an admin, and no other may")
    func firstAccount() throws {
        var first = fixture
        first.rules.signup = .first
        #expect(try first.object(first.accounts().settings())["disable_signup"] as? Bool == false)
        #expect(try first.object(first.accounts().settings())["first_account"] as? Bool == true)
        let user = try #require(try first.signUp()["user"] as? [String: Any])
        #expect((user["app_metadata"] as? [String: Any])?["admin"] as? Bool == true)
        #expect(throws: AuthError.signupDisabled) { _ = try first.signUp("ben@example.org") }
        #expect(try first.object(first.accounts().settings())["disable_signup"] as? Bool == true)
    }

    @Test("with open, the first account is no admin; with invite and closed nobody signs up")
    func otherModes() throws {
        var other = fixture
        for signup in [Accounts.Signup.invite, .closed] {
            other.rules.signup = signup
            #expect(throws: AuthError.signupDisabled) { _ = try other.signUp() }
            #expect(try other.object(other.accounts().settings())["disable_signup"] as? Bool == true)
        }
        let user = try #require(try fixture.signUp()["user"] as? [String: Any])
        #expect((user["app_metadata"] as? [String: Any])?["admin"] == nil)
    }

    @Test("simultaneous first sign-ups create one account")
    func simultaneousFirsts() async throws {
        var rules = fixture.rules
        rules.signup = .first
        let (database, shared) = (fixture.database, rules)
        let created = await withTaskGroup(of: Bool.self) { group in
            for number in 1...8 {
                group.addTask {
                    let own = AccountsFixture(sharing: database, shared)
                    return (try? own.signUp("user\(number)@example.org")) != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(created == 1)
        let users = try fixture.admin("select count(*), bool_and(app_metadata -> 'admin' = 'true') from auth.users")
        #expect(users.int(0, 0) == 1 && users.bool(0, 1) == true)
    }

    @Test("an address can be used once, whatever its case")
    func taken() throws {
        _ = try fixture.signUp()
        #expect(throws: AuthError.userAlreadyExists) { _ = try fixture.signUp("ANN@example.ORG") }
    }

    @Test(
        "an invalid sign-up is refused with its reason",
        arguments: [
            (#"{"email":"a@b.org","password":"12345"}"#, AuthError.weakPassword(.length)),
            (#"{"password":"123456"}"#, .anonymousProviderDisabled), (#"{}"#, .anonymousProviderDisabled),
            ("[]", .badJSON),
            ("", .badJSON), (#"{"email":5,"password":"123456"}"#, .badJSON),
        ])
    func badForms(body: String, error: AuthError) {
        #expect(throws: error) { _ = try fixture.accounts().signUp(Array(body.utf8)) }
    }

    @Test(
        "an invalid address and a missing or too long password are validation failures",
        arguments: [
            #"{"email":"nobody","password":"123456"}"#, #"{"email":"a b@c.org","password":"123456"}"#,
            #"{"email":"a@b.org"}"#, #"{"email":"a@b.org","password":"\#(String(repeating: "x", count: 73))"}"#,
            #"{"email":"a@b@c.org","password":"123456"}"#, #"{"email":"@c.org","password":"123456"}"#,
        ])
    func validation(body: String) {
        let error = #expect(throws: AuthError.self) {
            _ = try fixture.accounts().signUp(Array(body.utf8))
        }
        #expect(error?.code == "validation_failed")
    }

    @Test("an unknown address and a wrong password give the same error")
    func signIn() throws {
        _ = try fixture.signUp()
        func attempt(_ email: String, _ password: String) throws -> Response {
            try fixture.accounts().signIn(
                Array(#"{"email":"\#(email)","password":"\#(password)"}"#.utf8))
        }
        #expect(try attempt("ann@example.org", "secret1").status == 200)
        #expect(throws: AuthError.invalidCredentials) { _ = try attempt("ann@example.org", "secret2") }
        #expect(throws: AuthError.invalidCredentials) { _ = try attempt("bob@example.org", "secret1") }
    }

    @Test("each refresh returns a new refresh token")
    func rotation() throws {
        let first = try fixture.text(try fixture.signUp(), "refresh_token")
        let second = try fixture.text(try fixture.refresh(first), "refresh_token")
        #expect(second != first)
        #expect(try fixture.text(try fixture.refresh(second), "refresh_token") != second)
    }

    @Test("the previous token returns the newest one again, because its response may have been lost")
    func parentReuse() throws {
        let first = try fixture.text(try fixture.signUp(), "refresh_token")
        let second = try fixture.text(try fixture.refresh(first), "refresh_token")
        #expect(try fixture.text(try fixture.refresh(first), "refresh_token") == second)
    }

    @Test("reuse of an older token ends the session")
    func replay() throws {
        let first = try fixture.text(try fixture.signUp(), "refresh_token")
        let third = try fixture.text(
            try fixture.refresh(try fixture.text(try fixture.refresh(first), "refresh_token")), "refresh_token")
        _ = try fixture.admin("update auth.refresh_tokens set used_at = used_at - interval '11 seconds'")
        #expect(throws: AuthError.refreshTokenAlreadyUsed) { _ = try fixture.refresh(first) }
        #expect(throws: AuthError.refreshTokenNotFound) { _ = try fixture.refresh(third) }
    }

    @Test("invalid refresh tokens are not found", arguments: ["x", "", "AAAA", String(repeating: "A", count: 48)])
    func foreign(token: String) {
        #expect(throws: AuthError.self) { _ = try fixture.refresh(token) }
    }

    @Test(
        "a sign-out ends the sessions of its scope",
        arguments: [("global", [false, false]), ("local", [false, true]), ("others", [true, false])])
    func scopes(scope: String, alive: [Bool]) throws {
        let mine = try fixture.signUp()
        let other = try fixture.object(
            fixture.accounts().signIn(Array(#"{"email":"ann@example.org","password":"secret1"}"#.utf8)))
        let caller = try fixture.caller(mine)
        #expect(try fixture.accounts().signOut(caller, scope: scope).status == 204)
        for (session, isAlive) in zip([mine, other], alive) {
            let token = try fixture.text(session, "refresh_token")
            #expect(((try? fixture.refresh(token)) != nil) == isAlive)
        }
    }

    @Test("after the sign-out the access token no longer returns the user")
    func userAfterLogout() throws {
        let caller = try fixture.caller(try fixture.signUp())
        #expect(try fixture.accounts().user(caller).status == 200)
        _ = try fixture.accounts().signOut(caller, scope: nil)
        #expect(throws: AuthError.sessionNotFound) { _ = try fixture.accounts().user(caller) }
    }

    @Test("metadata that is too large for a token is only in the user object")
    func boundedMetadata() throws {
        let name = String(repeating: "n", count: 10_000)
        let session = try fixture.object(
            fixture.accounts().signUp(
                Array(#"{"email":"a@b.org","password":"secret1","data":{"name":"\#(name)"}}"#.utf8)))
        #expect(try fixture.text(session, "access_token").count < 3_000)
        let user = try #require(session["user"] as? [String: Any])
        #expect((user["user_metadata"] as? [String: Any])?["name"] as? String == name)
    }

    @Test("errors have the shape of the client's API version")
    func shapes() throws {
        let old = try fixture.object(AuthError.invalidCredentials.response(version: nil))
        #expect(old["code"] as? Int == 400 && old["error_code"] as? String == "invalid_credentials")
        let new = AuthError.weakPassword(.length).response(version: "2024-01-01")
        #expect(try fixture.object(new)["code"] as? String == "weak_password")
        #expect(new.headers["x-supabase-api-version"] == "2024-01-01")
        #expect(try fixture.object(new)["weak_password"] as? [String: [String]] == ["reasons": ["length"]])
    }

    @Test("the next sign-in replaces a hash with weaker parameters, and only such a hash")
    func rehashing() throws {
        _ = try fixture.signUp()
        func hash() throws -> String? { try fixture.admin("select encrypted_password from auth.users").text(0, 0) }
        var weaker = Argon2id()
        weaker.memory = 64
        _ = try fixture.admin("update auth.users set encrypted_password = \(weaker.encode("secret1"))")
        _ = try fixture.signIn()
        let renewed = try hash()
        #expect(renewed?.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$") == true)
        _ = try fixture.signIn()
        #expect(try hash() == renewed)
        let audited = try fixture.admin("select count(*) from auth.audit_log where action = 'password_changed'")
        // The one entry is from the update above. Rehashing adds none.
        #expect(audited.int(0, 0) == 1)
    }
}
