@testable import Auth
import Testing

@Suite("Auth / rotated keys")
struct JWTKeySetTests {
    private static let old = "0123456789abcdef0123456789abcdef"
    private static let new = "fedcba9876543210fedcba9876543210"
    private static let now = 1_800_000_000
    private let before = JWTKeySet(secret: old)
    private let after = JWTKeySet(secret: new, previous: ["\(old)@\(now + 100)"])
    private static let payload =
        #"{"sub":"6f1c1c1e-7f0b-4c55-9f3b-0d8f8f8f8f8f","role":"authenticated","exp":\#(now + 1_000)}"#

    @Test("tokens of a previous key are accepted until its end, and no longer")
    func grace() throws {
        let token = before.sign(payload: Self.payload)
        #expect(try after.verify(token, now: Self.now + 99).userID != nil)
        #expect(throws: TokenError.self) { try after.verify(token, now: Self.now + 100) }
    }

    @Test("a cached token expires with its key")
    func remembered() throws {
        var verified = VerifiedTokenCache()
        let token = before.sign(payload: Self.payload)
        #expect(try verified.caller(of: token, keys: after, now: Self.now).userID != nil)
        #expect(throws: TokenError.self) { try verified.caller(of: token, keys: after, now: Self.now + 100) }
    }

    @Test("only the new key signs tokens")
    func signing() {
        let token = after.sign(payload: Self.payload)
        #expect(throws: TokenError.self) { try before.verify(token, now: Self.now) }
    }

    @Test("the claims of a previous key's token are checked")
    func claims() {
        let expired = before.sign(payload: Self.payload.replacing("\(Self.now + 1_000)", with: "\(Self.now - 100)"))
        #expect(throws: TokenError.invalidClaims("JWT expired")) { try after.verify(expired, now: Self.now) }
    }

    @Test("the previous anon key remains valid for a time")
    func anonKey() throws {
        var credentials = Credentials(after)
        #expect(try credentials.caller(["apikey": before.apiKeys.anon], queryKey: nil, now: Self.now).role == .anon)
        #expect(throws: TokenError.invalidAPIKey) {
            try credentials.caller(["apikey": before.apiKeys.anon], queryKey: nil, now: Self.now + 100)
        }
    }

    @Test("entries that are not secret@epoch are ignored", arguments: ["", "secret", "@5", "secret@soon"])
    func nonsense(entry: String) {
        let keys = JWTKeySet(secret: Self.new, previous: [entry])
        #expect(keys.all(now: Self.now).count == 1)
    }
}
