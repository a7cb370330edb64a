import Glibc
import Testing

@testable import Export

@Suite("Export / reading files")
struct FileReaderTests {
    private func pieces(_ path: String) throws(FileFailure) -> [[UInt8]] {
        let reader = FileReader(path)
        var pieces: [[UInt8]] = []
        while let piece = try reader.next() { pieces.append(piece) }
        return pieces
    }

    @Test("a file is read in pieces of 256 KB", arguments: [0, 1, 262_144, 300_000])
    func reading(size: Int) throws {
        var template = Array("/tmp/lectern-file-XXXXXX".utf8CString)
        let descriptor = mkstemp(&template)
        try #require(descriptor >= 0)
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { unlink(path) }
        let content = [UInt8](repeating: 7, count: size)
        try #require(write(descriptor, content, size) == size)
        close(descriptor)
        let read = try pieces(path)
        #expect(read.allSatisfy { $0.count <= 262_144 } && Array(read.joined()) == content)
    }

    @Test("a missing file, a folder and a link are failures")
    func failures() {
        #expect(throws: FileFailure(call: "open", code: ENOENT)) { try pieces("/tmp/lectern-none/file") }
        #expect(throws: FileFailure(call: "read", code: EISDIR)) { try pieces("/tmp") }
        #expect(throws: FileFailure(call: "open", code: ELOOP)) { try pieces("/proc/self/exe") }
    }
}
