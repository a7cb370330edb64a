@testable import Auth
import Testing

@Suite("Auth / verified tokens")
struct VerifiedTokenCacheTests {
    private let keys = JWTKeySet(secret: "0123456789abcdef0123456789abcdef")
    private let now = 1_800_000_000

    @Test("a cached token needs its key no more, and expires")
    func cached() throws {
        var cache = VerifiedTokenCache()
        let token = keys.sign(payload: #"{"role":"anon","exp":\#(now + 100)}"#)
        #expect(try cache.caller(of: token, keys: keys, now: now).role == .anon)
        let others = JWTKeySet(secret: "another secret of thirty-two bytes")
        #expect(try cache.caller(of: token, keys: others, now: now + 99).role == .anon)
        #expect(throws: TokenError.self) { try cache.caller(of: token, keys: keys, now: now + 131) }
    }

    @Test("a refused token is not cached")
    func refused() throws {
        var cache = VerifiedTokenCache()
        for _ in 1...2 { #expect(throws: TokenError.self) { try cache.caller(of: "x", keys: keys, now: now) } }
    }
}
