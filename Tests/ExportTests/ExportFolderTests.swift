import Glibc
import Testing

@testable import Export

@Suite("Export / folder")
struct ExportFolderTests {
    private static let id = "0b8f3a52-6f0d-4d6e-9a3c-5d2f1b7e8c90"

    private func names(_ files: [String], afterRemoving id: String) throws -> [String] {
        var template = Array("/tmp/lectern-export-XXXXXX".utf8CString)
        _ = try #require(mkdtemp(&template))
        let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        for name in files { close(open("\(path)/\(name)", O_CREAT | O_WRONLY, 0o600)) }
        ExportFolder(path: path).removeFiles(of: id)
        let left = files.filter { access("\(path)/\($0)", F_OK) == 0 }
        for name in left { unlink("\(path)/\(name)") }
        rmdir(path)
        return left
    }

    @Test("an export's files are removed, the finished one and those of unfinished attempts")
    func own() throws {
        #expect(
            try names(
                [".zip", ".zip.part", ".zip.part.aBc", ".csv.part"].map { Self.id + $0 }, afterRemoving: Self.id) == [])
    }

    @Test("files of other exports and files with other names stay")
    func others() throws {
        let others = ["1\(Self.id.dropFirst()).zip", "readme.txt", "\(Self.id).txt", "\(Self.id)"]
        #expect(try names(others, afterRemoving: Self.id) == others)
    }

    @Test("a file is written beside its final path")
    func paths() {
        let folder = ExportFolder(path: "/x")
        #expect(folder.file(of: "a", .zip) == "/x/a.zip")
        #expect(folder.temporary(of: "a", .csv) == "/x/a.csv.part")
    }
}
