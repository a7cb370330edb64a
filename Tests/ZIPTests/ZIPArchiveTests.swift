import FoundationEssentials
import Glibc
import Testing

@testable import ZIP

@Suite("ZIP / reading archives")
struct ZIPArchiveTests {
    private let path = "/tmp/lectern-zip-\(getpid())-\(UInt32.random(in: .min ... .max)).zip"

    private func archive(_ entries: [(String, [UInt8])]) throws -> [UInt8] {
        defer { unlink(path) }
        var file = try ZIPFile(at: path, modified: 1_767_225_600)
        for (name, content) in entries { try file.add(name, content) }
        try file.write()
        return [UInt8](try Data(contentsOf: URL(filePath: path)))
    }

    @Test("entries are read by their exact names")
    func read() throws {
        let bytes = try archive([("a/ä.txt", Array("hello".utf8)), ("b", [])])
        let archive = try ZIPArchive(bytes)
        #expect(try archive.read("a/ä.txt", limit: 5) == Array("hello".utf8))
        #expect(try archive.read("b", limit: 0) == [])
        for name in ["c", "A/ä.txt", "./b", "a/../b", ""] { #expect(try archive.read(name, limit: 5) == nil) }
    }

    @Test("an entry above the limit is not unpacked")
    func tooLarge() throws {
        let archive = try ZIPArchive(try archive([("a", [UInt8](repeating: 0, count: 1 << 20))]))
        #expect(throws: ZIPArchive.Failure.tooLarge) { try archive.read("a", limit: 1 << 19) }
    }

    @Test("bytes that are no archive, or a part of one, are damaged")
    func damaged() throws {
        let whole = try archive([("a", Array("hello, world".utf8))])
        for bytes in [Array("PK".utf8), Array(whole.dropLast(10)), [UInt8](repeating: 0x50, count: 1_000)] {
            #expect(throws: ZIPArchive.Failure.damaged) { _ = try ZIPArchive(bytes) }
        }
        // A flipped bit of the content shows in its checksum.
        var flipped = whole
        flipped[32] ^= 0xFF
        let archive = try ZIPArchive(flipped)
        #expect(throws: ZIPArchive.Failure.damaged) { try archive.read("a", limit: 100) }
    }
}
