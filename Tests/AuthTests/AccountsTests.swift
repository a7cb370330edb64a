import Auth
import Crypto
import Foundation
import HTTP
import Postgres
import TestDatabase
import Testing

@Suite("Auth / accounts", .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct AccountsTests {
    private let database: TestDatabase
    private let accounts: Accounts
    private let key = TokenKey(secret: "0123456789abcdef0123456789abcdef")
    private let now = Int(Date().timeIntervalSince1970)
    private static let origin = Accounts.Origin(userAgent: "tests", address: "127.0.0.1")

    init() throws {
        let database = try TestDatabase()
        self.database = database
        let way = Database(database.conninfo("authenticator"))
        accounts = Accounts(
            key: key, hasher: PasswordHasher(), issuer: "http://lectern.test/auth/v1", lifetime: 3_600, isSignupOpen: true
        ) { batch throws(PostgresError) in try way.transaction(as: Identity(role: "auth_service"), batch) }
    }

    private func object(_ response: Response) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
    }

    private func signUp(_ email: String = "Ann@Example.org") throws -> [String: Any] {
        try object(accounts.signUp(Array(#"{"email":"\#(email)","password":"secret1"}"#.utf8), from: Self.origin, now: now))
    }

    private func refresh(_ token: String) throws -> [String: Any] {
        try object(accounts.refresh(Array(#"{"refresh_token":"\#(token)"}"#.utf8), now: now))
    }

    private func text(_ object: [String: Any], _ name: String) throws -> String { try #require(object[name] as? String) }

    @Test("signing up opens a session whose token names the new user")
    func signUpOpensSession() throws {
        let session = try signUp()
        let caller = try key.verify(try text(session, "access_token"), now: now)
        let user = try #require(session["user"] as? [String: Any])
        #expect(caller.userID == user["id"] as? String)
        #expect(user["email"] as? String == "Ann@Example.org")
        #expect(session["token_type"] as? String == "bearer")
        #expect(session["expires_in"] as? Int == 3_600)
        #expect(user.keys.allSatisfy { !$0.contains("password") })
    }

    @Test("an address is taken whatever its case")
    func taken() throws {
        _ = try signUp()
        #expect(throws: AuthError.userAlreadyExists) { _ = try signUp("ANN@example.ORG") }
    }

    @Test("a form that cannot be an account is refused with its reason", arguments: [
        (#"{"email":"a@b.org","password":"12345"}"#, AuthError.weakPassword),
        (#"{"password":"123456"}"#, .anonymousProviderDisabled), (#"{}"#, .anonymousProviderDisabled), ("[]", .badJSON),
        ("", .badJSON), (#"{"email":5,"password":"123456"}"#, .badJSON),
    ])
    func badForms(body: String, error: AuthError) {
        #expect(throws: error) { _ = try accounts.signUp(Array(body.utf8), from: Self.origin, now: now) }
    }

    @Test("an address that cannot be one, no password and one too long are validation failures", arguments: [
        #"{"email":"nobody","password":"123456"}"#, #"{"email":"a b@c.org","password":"123456"}"#,
        #"{"email":"a@b.org"}"#, #"{"email":"a@b.org","password":"\#(String(repeating: "x", count: 73))"}"#,
        #"{"email":"a@b@c.org","password":"123456"}"#, #"{"email":"@c.org","password":"123456"}"#,
    ])
    func validation(body: String) {
        let error = #expect(throws: AuthError.self) {
            _ = try accounts.signUp(Array(body.utf8), from: Self.origin, now: now)
        }
        #expect(error?.code == "validation_failed")
    }

    @Test("signing in needs the right password, and an unknown address looks like a wrong one")
    func signIn() throws {
        _ = try signUp()
        func attempt(_ email: String, _ password: String) throws -> Response {
            try accounts.signIn(
                Array(#"{"email":"\#(email)","password":"\#(password)"}"#.utf8), from: Self.origin, now: now)
        }
        #expect(try attempt("ann@example.org", "secret1").status == 200)
        #expect(throws: AuthError.invalidCredentials) { _ = try attempt("ann@example.org", "secret2") }
        #expect(throws: AuthError.invalidCredentials) { _ = try attempt("bob@example.org", "secret1") }
    }

    @Test("a refresh token works once, then its successor does")
    func rotation() throws {
        let first = try text(try signUp(), "refresh_token")
        let second = try text(try refresh(first), "refresh_token")
        #expect(second != first)
        #expect(try text(try refresh(second), "refresh_token") != second)
    }

    @Test("the parent of the newest token gets the newest again: its answer may have been lost")
    func parentReuse() throws {
        let first = try text(try signUp(), "refresh_token")
        let second = try text(try refresh(first), "refresh_token")
        #expect(try text(try refresh(first), "refresh_token") == second)
    }

    @Test("an older token, long after its use, ends the whole session")
    func replay() throws {
        let first = try text(try signUp(), "refresh_token")
        let third = try text(try refresh(try text(try refresh(first), "refresh_token")), "refresh_token")
        var admin = try Connection(database.conninfo("lectern_admin"))
        try admin.script("update auth.refresh_tokens set used_at = used_at - interval '11 seconds'")
        #expect(throws: AuthError.refreshTokenAlreadyUsed) { _ = try refresh(first) }
        #expect(throws: AuthError.refreshTokenNotFound) { _ = try refresh(third) }
    }

    @Test("tokens nobody made are not found", arguments: ["x", "", "AAAA", String(repeating: "A", count: 48)])
    func foreign(token: String) {
        #expect(throws: AuthError.self) { _ = try refresh(token) }
    }

    @Test("signing out ends the sessions its scope names", arguments: [("global", [false, false]), ("local", [false, true]), ("others", [true, false])])
    func scopes(scope: String, alive: [Bool]) throws {
        let mine = try signUp()
        let other = try object(
            accounts.signIn(Array(#"{"email":"ann@example.org","password":"secret1"}"#.utf8), from: Self.origin, now: now))
        let caller = try key.verify(try text(mine, "access_token"), now: now)
        #expect(try accounts.signOut(caller, scope: scope).status == 204)
        for (session, isAlive) in zip([mine, other], alive) {
            let token = try text(session, "refresh_token")
            #expect(((try? refresh(token)) != nil) == isAlive)
        }
    }

    @Test("after signing out, the access token no longer shows the user")
    func userAfterLogout() throws {
        let caller = try key.verify(try text(try signUp(), "access_token"), now: now)
        #expect(try accounts.user(caller).status == 200)
        _ = try accounts.signOut(caller, scope: nil)
        #expect(throws: AuthError.sessionNotFound) { _ = try accounts.user(caller) }
    }

    @Test("metadata too large for a token stays in the user object only")
    func boundedMetadata() throws {
        let name = String(repeating: "n", count: 10_000)
        let session = try object(
            accounts.signUp(
                Array(#"{"email":"a@b.org","password":"secret1","data":{"name":"\#(name)"}}"#.utf8), from: Self.origin, now: now))
        #expect(try text(session, "access_token").count < 3_000)
        let user = try #require(session["user"] as? [String: Any])
        #expect((user["user_metadata"] as? [String: Any])?["name"] as? String == name)
    }

    @Test("errors have the shape of the client's API version")
    func shapes() throws {
        let old = try object(AuthError.invalidCredentials.response(version: nil))
        #expect(old["code"] as? Int == 400 && old["error_code"] as? String == "invalid_credentials")
        let new = AuthError.weakPassword.response(version: "2024-01-01")
        #expect(try object(new)["code"] as? String == "weak_password")
        #expect(new.headers["x-supabase-api-version"] == "2024-01-01")
        #expect(try object(new)["weak_password"] as? [String: [String]] == ["reasons": ["length"]])
    }
}
