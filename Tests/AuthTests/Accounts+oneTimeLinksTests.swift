import Auth
import HTTP
import TestDatabase
import Testing

@Suite(
    "Auth / links in mails", .enabled(if: TestDatabase.isAvailable, "needs the server that deploy/test starts"))
struct AccountsOneTimeLinksTests {
    private let fixture: AccountsFixture

    init() throws { fixture = try AccountsFixture() }

    private func resend(_ form: String) throws { _ = try fixture.accounts().resend(Array(form.utf8)) }

    private func isProven(_ email: String) throws -> Bool? {
        try fixture.admin("select auth.has_proven_address(id) from auth.users where email = \(email)").bool(0, 0)
    }

    @Test("an address that was signed up with is its user's once the link that is mailed there is followed")
    func resending() throws {
        _ = try fixture.signUp()
        #expect(try isProven("Ann@Example.org") == false)
        try resend(#"{"type":"signup","email":"ann@example.org"}"#)
        let mails = try fixture.admin("select body, recipient from private.mails where kind = 'signup'")
        #expect(mails.count == 1 && mails.text(0, 1) == "Ann@Example.org")
        let token = try #require(mails.text(0, 0)?.firstMatch(of: /token_hash=([\w-]+)&type=signup/)?.1)
        _ = try fixture.accounts().verify(Array(#"{"type":"signup","token_hash":"\#(token)"}"#.utf8))
        #expect(try isProven("Ann@Example.org") == true)
        // There is nothing left to confirm.
        try resend(#"{"type":"signup","email":"ann@example.org"}"#)
        #expect(try fixture.admin("select from private.mails where kind = 'signup'").count == 1)
    }

    @Test("an address without an account gets no link")
    func unknown() throws {
        try resend(#"{"type":"signup","email":"nobody@example.org"}"#)
        #expect(try fixture.admin("select from private.mails").count == 0)
    }

    @Test(
        "only links that confirm an address are sent again",
        arguments: [
            #"{"email":"ann@example.org"}"#, #"{"type":"recovery","email":"ann@example.org"}"#, #"{"type":"signup"}"#,
            #"{"type":"signup","email":"x"}"#, "[]",
        ])
    func refused(form: String) throws {
        #expect(throws: AuthError.self) { try resend(form) }
    }
}
