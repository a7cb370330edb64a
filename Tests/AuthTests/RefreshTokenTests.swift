@testable import Auth
import Testing

@Suite("Auth / refresh tokens")
struct RefreshTokenTests {
    private let key = JWTKey(secret: "0123456789abcdef0123456789abcdef")
    private let session = "6f1c1c1e-7f0b-4c55-9f3b-0d8f8f8f8f8f"

    @Test("the text of a token gives its session and generation", arguments: [1, 2, 255, 256, 2_000_000_000])
    func roundTrip(generation: Int) {
        let token = RefreshToken(session: session, generation: generation)
        #expect(RefreshToken(token.text(key), key) == token)
    }

    @Test("the same token always has the same text")
    func derived() {
        let token = RefreshToken(session: session, generation: 3)
        #expect(token.text(key) == token.text(key))
    }

    @Test("another key and changed text are refused")
    func forged() {
        let text = RefreshToken(session: session, generation: 1).text(key)
        #expect(RefreshToken(text, JWTKey(secret: "another secret of thirty-two bytes")) == nil)
        #expect(RefreshToken(String(text.dropLast()), key) == nil)
        #expect(RefreshToken("B" + text.dropFirst(), key) == nil || text.hasPrefix("B"))
        #expect(RefreshToken(String(repeating: "A", count: 200), key) == nil)
    }
}
