import Auth
import Foundation
import HTTP
import TestDatabase
import Testing

@Suite("Auth / a new address", .enabled(if: TestDatabase.isAvailable, "needs the server that deploy/test starts"))
struct EmailChangeTests {
    private var fixture: AccountsFixture

    init() throws {
        fixture = try AccountsFixture()
        fixture.rules.sendsMail = true
    }

    private func change(_ session: [String: Any], to email: String) throws -> [String: Any] {
        let form = Array(#"{"email":"\#(email)"}"#.utf8)
        return try fixture.object(fixture.accounts().update(try fixture.caller(session), form))
    }

    /// The tokens in the mails to an address, oldest first.
    private func mailedTokens(_ email: String) throws -> [String] {
        let mails = try fixture.admin(
            "select body from private.mails where recipient = \(email) and kind = 'email_change' order by created_at")
        return (0..<mails.count).compactMap { row in
            mails.text(row, 0)?.firstMatch(of: /token_hash=([\w-]+)&type=email_change/).map { String($0.1) }
        }
    }

    private func verify(_ token: String) throws -> [String: Any] {
        try fixture.object(
            fixture.accounts().verify(Array(#"{"type":"email_change","token_hash":"\#(token)"}"#.utf8)))
    }

    @Test("a new address counts once its link is followed, which opens no session")
    func confirmation() throws {
        let session = try fixture.signUp()
        let pending = try change(session, to: "new@example.org")
        #expect(pending["email"] as? String == "Ann@Example.org")
        #expect(pending["new_email"] as? String == "new@example.org")
        _ = try fixture.signIn()
        let token = try #require(try mailedTokens("new@example.org").first)
        #expect(try verify(token)["access_token"] == nil)
        #expect(throws: AuthError.invalidCredentials) { try fixture.signIn() }
        let user = try #require(try fixture.signIn("new@example.org")["user"] as? [String: Any])
        #expect(user["email"] as? String == "new@example.org" && user["new_email"] is NSNull)
        #expect(throws: AuthError.oneTimeTokenExpired) { try verify(token) }
        let notices = try fixture.admin("select recipient from private.mails where kind = 'email_changed'")
        #expect(notices.count == 1 && notices.text(0, 0) == "Ann@Example.org")
    }

    @Test("the response does not tell whether another account has the address, which gets no mail")
    func taken() throws {
        _ = try fixture.signUp("ben@example.org")
        let session = try fixture.signUp()
        let (taken, free) = (
            try change(session, to: "BEN@example.org"), try change(session, to: "nobody@example.org")
        )
        for member in ["email", "email_confirmed_at", "updated_at"] {
            #expect(taken[member] as? String == free[member] as? String)
        }
        #expect(taken["new_email"] as? String == "BEN@example.org")
        #expect(try mailedTokens("BEN@example.org").isEmpty)
        #expect(try mailedTokens("nobody@example.org").count == 1)
    }

    @Test("an address that another account got in the meantime is refused like an expired link")
    func takenSince() throws {
        let session = try fixture.signUp()
        _ = try change(session, to: "ben@example.org")
        _ = try fixture.signUp("ben@example.org")
        let token = try #require(try mailedTokens("ben@example.org").first)
        #expect(throws: AuthError.oneTimeTokenExpired) { try verify(token) }
        _ = try fixture.signIn()
    }

    @Test("another wish or a new password ends the link of an earlier one")
    func replaced() throws {
        let session = try fixture.signUp()
        _ = try change(session, to: "typo@example.org")
        _ = try change(session, to: "new@example.org")
        let first = try #require(try mailedTokens("typo@example.org").first)
        #expect(throws: AuthError.oneTimeTokenExpired) { try verify(first) }
        let second = try #require(try mailedTokens("new@example.org").first)
        _ = try fixture.accounts().update(try fixture.caller(session), Array(#"{"password":"another horse"}"#.utf8))
        #expect(throws: AuthError.oneTimeTokenExpired) { try verify(second) }
    }

    @Test("changes of the address are limited by user, by network and by address")
    func limits() throws {
        var limited = fixture
        limited.rules.isLimited = true
        let (ann, ben) = (try limited.signUp(), try limited.signUp("ben@example.org"))
        func attempt(
            _ session: [String: Any], _ email: String, from address: String = "192.0.2.1"
        ) throws -> AuthError? {
            let caller = try limited.caller(session)
            do { _ = try limited.accounts(from: address).update(caller, Array(#"{"email":"\#(email)"}"#.utf8)) } catch {
                return error as? AuthError
            }
            return nil
        }
        func isDelayed(_ error: AuthError?) -> Bool { if case .tooManyAttempts = error { true } else { false } }
        for number in 1...3 { #expect(try attempt(ann, "\(number)@example.org") == nil) }
        #expect(try isDelayed(attempt(ann, "4@example.org", from: "203.0.113.9")))
        // The third mail to one address delays the next one, and the response stays the same.
        for number in 1...3 {
            _ = try fixture.admin("delete from auth.delays where subject not like 'mail %'")
            #expect(try attempt(ann, "Third.Party@example.org", from: "203.0.113.\(number)") == nil)
        }
        _ = try fixture.admin("delete from auth.delays where subject like 'email %'")
        #expect(try attempt(ben, "third.party@example.org", from: "203.0.113.4") == nil)
        let mails = try fixture.admin("select count(*) from private.mails where recipient ilike 'third.party@%'")
        #expect(mails.int(0, 0) == 3)
        for number in 5...12 {
            _ = try fixture.admin("delete from auth.delays where subject like 'email %'")
            _ = try attempt(ben, "\(number)@example.org")
        }
        _ = try fixture.admin("delete from auth.delays where subject like 'email %'")
        // The delay must not end before the next attempt.
        _ = try fixture.admin(
            "update auth.delays set allowed_at = now() + interval '1 hour' where allowed_at > '-infinity'")
        #expect(try isDelayed(attempt(ben, "13@example.org")))
        #expect(try attempt(ben, "13@example.org", from: "203.0.113.5") == nil)
    }

    @Test("without mail a new address counts at once, and a taken one is refused")
    func withoutMail() throws {
        var silent = fixture
        silent.rules.sendsMail = false
        _ = try silent.signUp("ben@example.org")
        let caller = try silent.caller(try silent.signUp())
        #expect(throws: AuthError.emailExists) {
            try silent.accounts().update(caller, Array(#"{"email":"ben@example.org"}"#.utf8))
        }
        _ = try silent.accounts().update(caller, Array(#"{"email":"new@example.org"}"#.utf8))
        _ = try silent.signIn("new@example.org")
    }
}
