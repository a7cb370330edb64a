import Crypto
import Testing

@Suite("Crypto / passwords")
struct PasswordHasherTests {
    private let hasher = PasswordHasher()

    @Test("the right password fits its hash and no other does")
    func verifies() throws {
        let hash = try #require(hasher.encode("correct horse"))
        #expect(hash.hasPrefix("$argon2id$v=19$m=19456,t=2,p=1$"))
        #expect(hasher.verify("correct horse", against: hash))
        #expect(!hasher.verify("correct horsf", against: hash))
    }

    @Test("without a hash every password is wrong, after the same work")
    func noHash() { #expect(!hasher.verify("nobody's password", against: nil)) }

    @Test("the same password hashes differently each time")
    func salted() { #expect(hasher.encode("a") != hasher.encode("a")) }
}
