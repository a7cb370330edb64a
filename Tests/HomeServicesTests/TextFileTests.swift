import Glibc
import Folders
import Testing

@testable import HomeServices

@Suite("HomeServices / text file")
struct TextFileTests {
    @Test("a file is replaced with its mode")
    func replace() throws {
        let folder = try TemporaryFolder()
        let path = folder.path + "/state"
        #expect(TextFile.replace(path, with: "starting\n", mode: 0o644))
        #expect(TextFile.replace(path, with: "ready\n", mode: 0o600))
        var status = stat()
        #expect(stat(path, &status) == 0 && status.st_mode & 0o777 == 0o600)
        #expect(TextFile.read(path) == "ready\n" && Folder.names(in: folder.path) == ["state"])
        #expect(TextFile.read(folder.path + "/missing") == nil)
        #expect(!TextFile.replace(folder.path + "/no/folder", with: "x", mode: 0o600))
    }
}
