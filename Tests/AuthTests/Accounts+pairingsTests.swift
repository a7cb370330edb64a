import Auth
import Foundation
import HTTP
import TestDatabase
import Testing

@Suite(
    "Auth / pairing of devices", .enabled(if: TestDatabase.isAvailable, "needs the server that deploy/test starts"))
struct PairingsTests {
    private var fixture: AccountsFixture
    private let code: String

    init() throws {
        fixture = try AccountsFixture()
        let caller = try fixture.caller(try fixture.signUp())
        let made = try fixture.accounts().startPairing(caller, []) { "image of \($0)" }
        let pairing = try fixture.object(made)
        code = try fixture.text(pairing, "code")
        #expect(made.status == 201)
        #expect(pairing["url"] as? String == "http://lectern.test/pair/#\(code)")
        #expect(pairing["qr"] as? String == "image of http://lectern.test/pair/#\(code)")
        fixture.rules.isLimited = true
    }

    @discardableResult
    private func claim(_ code: String, from address: String = "198.51.100.7") throws -> Response {
        try fixture.accounts(from: address).claimPairing(Array(#"{"code":"\#(code)","device":"Phone"}"#.utf8))
    }

    @Test("after ten wrong codes a network has to wait, and no other")
    func delays() throws {
        for _ in 1...10 { #expect(throws: AuthError.pairingCodeExpired) { try claim("00000-00000") } }
        _ = try fixture.admin(
            "update auth.delays set allowed_at = clock_timestamp() + interval '1 hour' where allowed_at > '-infinity'")
        let error = #expect(throws: AuthError.self) { try claim(code) }
        #expect(error?.status == 429)
        #expect(try claim(code, from: "203.0.113.9").status == 201)
    }

    @Test("a text of another shape counts as a guess")
    func otherShapes() throws {
        for _ in 1...10 { #expect(throws: AuthError.pairingCodeExpired) { try claim("x") } }
        #expect(try fixture.admin("select attempts from auth.delays where subject like 'pairing %'").int(0, 0) == 10)
    }

    @Test("the right code costs no attempt")
    func forgiven() throws {
        for _ in 1...3 { #expect(throws: AuthError.pairingCodeExpired) { try claim("00000-00000") } }
        try claim(code)
        #expect(try fixture.admin("select attempts from auth.delays where subject like 'pairing %'").int(0, 0) == 3)
    }

    @Test("the database stores neither the code nor the token")
    func hashes() throws {
        let token = try fixture.text(try fixture.object(try claim(code)), "token")
        let stored = try fixture.admin("select encode(token_hash, 'hex'), name, scope from auth.api_tokens")
        #expect(stored.text(0, 0) == PersonalToken(token)?.hash)
        #expect(stored.text(0, 1) == "Phone" && stored.text(0, 2) == "full")
        #expect(try fixture.admin("select count(*) from auth.pairings").int(0, 0) == 0)
    }
}
