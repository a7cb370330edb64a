import Crypto
import Testing

@Suite("Crypto / passwords")
struct PasswordHasherTests {
    private let hasher = PasswordHasher()

    @Test("only the right password matches its hash")
    func verifies() throws {
        let hash = try #require(hasher.encode("correct horse"))
        #expect(hash.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        #expect(hasher.verify("correct horse", against: hash))
        #expect(!hasher.verify("correct horsf", against: hash))
    }

    @Test("without a hash no password matches")
    func noHash() { #expect(!hasher.verify("nobody's password", against: nil)) }

    @Test("two hashes of one password differ")
    func salted() { #expect(hasher.encode("a") != hasher.encode("a")) }
}
