import FoundationEssentials
import Glibc
import Testing

@testable import ZIP

@Suite("ZIP / reading archives on disk")
struct ZIPReaderTests {
    private let path = "/tmp/lectern-zip-\(getpid())-\(UInt32.random(in: .min ... .max)).zip"

    private func reading<Result>(
        _ entries: [(String, [UInt8])], limit: Int = 1 << 20, changing: (inout [UInt8]) -> Void = { _ in },
        _ body: (ZIPReader) throws -> Result
    ) throws -> Result {
        defer { unlink(path) }
        var file = try ZIPFile(at: path, modified: 1_767_225_600)
        for (name, content) in entries { try file.add(name, content) }
        try file.write()
        var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        changing(&bytes)
        try Data(bytes).write(to: URL(filePath: path))
        return try body(try ZIPReader(path: path, limit: limit))
    }

    @Test("entries are read in pieces, whatever their size")
    func pieces() throws {
        let long = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        try reading([("a/b.txt", long), ("c", [])]) { archive in
            #expect(archive.entries.map(\.name) == ["a/b.txt", "c"])
            let next = try archive.open(archive.entries[0])
            var (content, count): ([UInt8], Int) = ([], 0)
            while let piece = try next() {
                content += piece
                count += 1
            }
            #expect(content == long && count > 1)
            #expect(try archive.read(archive.entries[1], limit: 0) == [])
        }
    }

    @Test("an archive that unpacks to more than its limit is refused before it is unpacked")
    func tooLarge() throws {
        let half = [UInt8](repeating: 1, count: 1 << 19)
        #expect(throws: ZIPReader.Failure.tooLarge) {
            try reading([("a", half), ("b", half), ("c", [1])]) { _ in }
        }
    }

    @Test("an entry that is larger than it says is read up to the limit of the archive")
    func lying() throws {
        let content = [UInt8](repeating: 1, count: 1 << 19)
        let (size, lie): ([UInt8], [UInt8]) = ([0, 0, 8, 0], [16, 0, 0, 0])
        #expect(throws: ZIPReader.Failure.self) {
            try reading(
                [("a", content)], limit: 1 << 16,
                changing: { bytes in
                    for place in 0..<bytes.count - 4 where Array(bytes[place..<place + 4]) == size {
                        bytes.replaceSubrange(place..<place + 4, with: lie)
                    }
                }
            ) { archive in _ = try archive.read(archive.entries[0], limit: 1 << 16) }
        }
    }

    @Test("names that lead out of the folder are refused", arguments: ["../a", "a/../../b", "/etc/a"])
    func unsafeName(name: String) throws {
        // The writer does not write such names, so one of the same length is replaced.
        let plain = String(repeating: "x", count: name.utf8.count)
        #expect(throws: ZIPReader.Failure.unsafeName) {
            try reading(
                [(plain, [1])],
                changing: { bytes in
                    let (old, new) = (Array(plain.utf8), Array(name.utf8))
                    for place in 0..<bytes.count - old.count where Array(bytes[place..<place + old.count]) == old {
                        bytes.replaceSubrange(place..<place + old.count, with: new)
                    }
                }
            ) { _ in }
        }
    }

    @Test("bytes that are no archive, or a part of one, are damaged", arguments: [10, 1_000_000])
    func damaged(cut: Int) throws {
        #expect(throws: ZIPReader.Failure.damaged) {
            try reading([("a", Array("hello, world".utf8))], changing: { $0.removeLast(min(cut, $0.count)) }) { _ in }
        }
    }
}
