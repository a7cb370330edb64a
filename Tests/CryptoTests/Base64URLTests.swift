import Crypto
import Testing

@Suite("Crypto / base 64")
struct Base64URLTests {
    @Test("decoding reverses encoding at every length", arguments: 0..<70)
    func roundTrip(length: Int) {
        let bytes = (0..<length).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) }
        #expect(Base64URL.decode(Base64URL.encode(bytes)) == bytes)
    }

    @Test(
        "the examples of RFC 4648 hold, without padding",
        arguments: [
            ("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foob", "Zm9vYg"), ("fooba", "Zm9vYmE"),
        ])
    func examples(text: String, encoded: String) { #expect(Base64URL.encode(text.utf8) == encoded) }

    @Test("text that is not canonical is refused", arguments: ["Zg==", "Z", "Zh", "Zm9+", "Zm9v\n", "Zm 9"])
    func refused(text: String) { #expect(Base64URL.decode(text) == nil) }
}
