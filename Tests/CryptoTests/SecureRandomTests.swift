import Crypto
import Testing

@Suite("Crypto / random bytes")
struct SecureRandomTests {
    @Test("the bytes have the requested length and differ each time")
    func bytes() {
        #expect(SecureRandom.bytes(32).count == 32)
        #expect(SecureRandom.bytes(32) != SecureRandom.bytes(32))
        #expect(SecureRandom.bytes(0).isEmpty)
    }
}
