import Testing

@testable import Crypto

@Suite("Crypto / password hashes")
struct Argon2idTests {
    private func hash(memory: UInt32, passes: UInt32 = 1) -> Argon2id {
        var hash = Argon2id()
        hash.memory = memory
        hash.passes = passes
        return hash
    }

    @Test("a hash with weaker parameters or of another form needs a rehash")
    func needsRehash() throws {
        let strong = hash(memory: 128, passes: 2)
        #expect(!strong.needsRehash(try #require(strong.encode("a"))))
        #expect(strong.needsRehash(try #require(hash(memory: 64, passes: 2).encode("a"))))
        #expect(strong.needsRehash(try #require(hash(memory: 128, passes: 1).encode("a"))))
        #expect(!hash(memory: 64).needsRehash(try #require(strong.encode("a"))))
        #expect(strong.needsRehash("$2a$10$bcrypt") && strong.needsRehash(""))
    }

    @Test("text that is not a hash matches no password", arguments: ["", "x", "$argon2id$v=19$m=64,t=1,p=1$$"])
    func noHash(text: String) { #expect(!hash(memory: 64).verify("a", against: text)) }

    @Test("the hash of no password has the form of every other, so that a comparison takes the same work")
    func ofNoPassword() throws {
        let hash = hash(memory: 64, passes: 2)
        #expect(hash.ofNoPassword.count == (try #require(hash.encode("a"))).count)
        #expect(!hash.needsRehash(hash.ofNoPassword))
        #expect(!hash.verify("", against: hash.ofNoPassword))
    }
}
