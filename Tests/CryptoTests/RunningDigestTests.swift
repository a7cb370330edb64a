import Crypto
import Testing

@Suite("Crypto / running digest")
struct RunningDigestTests {
    @Test("parts have the digest of the whole")
    func parts() {
        let bytes = Array("The quick brown fox".utf8)
        var digest = RunningDigest()
        digest.add(bytes[..<5])
        digest.add([])
        digest.add(bytes[5...])
        #expect(digest.finish() == Digest.sha256(bytes))
        #expect(RunningDigest().finish() == Digest.sha256([]))
    }
}
