import Testing

@testable import Backups

@Suite("Backups / lists of stored files")
struct StoredFileTests {
    private func damaged(_ reason: String) -> BackupError { .damaged("backup", reason: reason) }

    private let hash = String(repeating: "a", count: 64)

    @Test("a list is read as it was written")
    func list() throws {
        let files: [StoredFile] = [
            .file(hash: hash, size: 3, mode: 0o640, modified: 7, name: "pictures/ab/one.webp"),
            .link(to: "pictures/ab/one.webp", name: "pictures/ab/two.webp"),
        ]
        let text = files.map(\.line).joined()
        #expect(try StoredFile.parse(Array(text.utf8), or: damaged) == files)
    }

    @Test(
        "a list that names a file outside of the home's folders is refused",
        arguments: [
            "= ../../etc/shadow pictures/ab/two.webp", "= pictures/ab/one.webp ../two",
            "= secrets/../../x pictures/ab/two.webp", "= /etc/shadow pictures/ab/two.webp",
        ])
    func outside(line: String) {
        #expect(throws: BackupError.self) { try StoredFile.parse(Array((line + "\n").utf8), or: damaged) }
    }

    @Test("a damaged line is refused", arguments: ["", "x", "= one", "zz 1 640 7 pictures/a", "= a b c"])
    func damagedLine(line: String) {
        #expect(StoredFile(line: line[...]) == nil)
    }
}
