import Auth
import Foundation
import HTTP
import TestDatabase
import Testing

@Suite(
    "Auth / a user's API tokens", .enabled(if: TestDatabase.isAvailable, "needs the server that deploy/test starts"))
struct TokensOfUserTests {
    private let fixture: AccountsFixture

    init() throws { fixture = try AccountsFixture() }

    private func list(_ response: Response) throws -> [[String: Any]] {
        try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [[String: Any]])
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

    @Test("every scope can be made and listed", arguments: PersonalToken.Scope.allCases)
    func scopes(scope: PersonalToken.Scope) throws {
        let caller = try fixture.caller(try fixture.signUp())
        let form = Array(#"{"name":"x","scope":"\#(scope.rawValue)"}"#.utf8)
        #expect(try fixture.accounts().makeToken(caller, form).status == 201)
        #expect(try list(fixture.accounts().tokens(caller)).map { $0["scope"] as? String } == [scope.rawValue])
    }

    @Test("a token needs the password when the sign-in was long ago")
    func presence() throws {
        let caller = try fixture.caller(try fixture.signUp())
        func make(_ password: String) throws -> Response {
            try fixture.accounts().makeToken(caller, Array(#"{"name":"x","scope":"full"\#(password)}"#.utf8))
        }
        _ = try fixture.admin("update auth.sessions set created_at = now() - interval '299 seconds'")
        #expect(try make("").status == 201)
        _ = try fixture.admin("update auth.sessions set created_at = now() - interval '301 seconds'")
        #expect(throws: AuthError.reauthenticationNeeded(member: "password")) { try make("") }
        #expect(throws: AuthError.invalidCredentials) { try make(#","password":"wrong horse""#) }
        #expect(try make(#","password":"secret1""#).status == 201)
    }

    @Test("a refreshed session is as old as its sign-in")
    func refreshed() throws {
        let session = try fixture.signUp()
        _ = try fixture.admin("update auth.sessions set created_at = now() - interval '301 seconds'")
        let caller = try fixture.caller(try fixture.refresh(try fixture.text(session, "refresh_token")))
        #expect(throws: AuthError.reauthenticationNeeded(member: "password")) {
            try fixture.accounts().makeToken(caller, Array(#"{"name":"x","scope":"full"}"#.utf8))
        }
    }
}
