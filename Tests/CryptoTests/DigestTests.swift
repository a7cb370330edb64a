import Crypto
import Testing

@Suite("Crypto / digests")
struct DigestTests {
    @Test("HMAC-SHA-256 agrees with the second test case of RFC 4231")
    func hmac() {
        #expect(
            Digest.hex(Digest.hmacSHA256("what do ya want for nothing?".utf8, key: Array("Jefe".utf8)))
                == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    }

    @Test("SHA-256 agrees with the first example of FIPS 180")
    func sha256() {
        #expect(
            Digest.hex(Digest.sha256("abc".utf8)) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
    }
}
