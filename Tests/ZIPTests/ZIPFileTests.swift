import FoundationEssentials
import Glibc
import Testing

@testable import ZIP

@Suite("ZIP / archives")
struct ZIPFileTests {
    private let path = "/tmp/lectern-zip-\(getpid())-\(UInt32.random(in: .min ... .max)).zip"

    private func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }

    /// Writes an archive and removes it.
    private func written(_ fill: (inout ZIPFile) throws -> Void) throws -> [UInt8] {
        defer { unlink(path) }
        var file = try ZIPFile(at: path, modified: 1_767_225_600)
        try fill(&file)
        try file.write()
        return try bytes()
    }

    @Test("a stored first entry begins the file with its name and content, as EPUB requires")
    func stored() throws {
        let archive = try written { file in
            try file.add("mimetype", Array("application/epub+zip".utf8), .stored)
            try file.add("b", Array("b".utf8))
        }
        #expect(archive.starts(with: [0x50, 0x4B, 3, 4]))
        // No flags, method 0, no extra field; then the name, then the content.
        #expect(Array(archive[6...9]) == [0, 0, 0, 0])
        #expect(Array(archive[26...29]) == [8, 0, 0, 0])
        #expect(String(decoding: archive[30..<58], as: UTF8.self) == "mimetypeapplication/epub+zip")
    }

    @Test("the same content gives the same bytes")
    func deterministic() throws {
        func make() throws -> [UInt8] {
            try written { file in
                var left = 3
                try file.add("ä/1.txt") {
                    left -= 1
                    return left >= 0 ? Array("piece \(left)".utf8) : nil
                }
            }
        }
        #expect(try make() == make())
    }

    @Test("entries are produced one after the other, when they are written")
    func lazily() throws {
        var made: [String] = []
        _ = try written { file in
            for name in ["a", "b", "c"] {
                var isFirst = true
                try file.add(name) {
                    defer { isFirst = false }
                    if isFirst { made.append(name) }
                    return isFirst ? [1, 2, 3] : nil
                }
            }
            #expect(made.isEmpty)
        }
        #expect(made == ["a", "b", "c"])
    }

    struct Enough: Error, Equatable {}

    @Test("an error of a producer is thrown by write")
    func failing() throws {
        #expect(throws: Enough()) {
            _ = try written { file in
                try file.add("a", [1])
                try file.add("b") { throw Enough() }
            }
        }
        #expect(access(path, F_OK) != 0)
    }

    @Test(
        "names that leave the folder or occur twice are refused",
        arguments: ["", "/a", "../a", "a/../b", "a//b", "a\\b", "a\nb", ".", "twice"])
    func names(name: String) throws {
        var file = try ZIPFile(at: path, modified: 0)
        try file.add("twice", [])
        var isRefused = false
        do { try file.add(name, [1]) } catch { isRefused = true }
        #expect(isRefused)
    }

    @Test("a missing folder is an error")
    func nowhere() {
        #expect(throws: ZIPError.self) {
            var file = try ZIPFile(at: "/nonexistent/a.zip", modified: 0)
            try file.add("a", [1])
            try file.write()
        }
    }
}
