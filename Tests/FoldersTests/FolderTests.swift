import Folders
import Glibc
import Testing

@Suite("Folders / folder")
struct FolderTests {
    @Test("a folder lists its names, also hidden ones; one that cannot be read lists none")
    func names() throws {
        var template = "/tmp/folders.XXXXXX".utf8CString.map { $0 }
        let path = try #require(mkdtemp(&template).map { String(cString: $0) })
        defer {
            for name in ["a", ".b"] { unlink("\(path)/\(name)") }
            rmdir(path)
        }
        #expect(Folder.names(in: path) == [])
        for name in ["a", ".b"] { close(open("\(path)/\(name)", O_CREAT | O_WRONLY, 0o600)) }
        #expect(Folder.names(in: path).sorted() == [".b", "a"])
        #expect(Folder.names(in: "\(path)/missing") == [])
        #expect((0..<60).contains(Folder.age(of: "\(path)/a")))
        #expect(Folder.age(of: "\(path)/missing") == 0)
    }
}
