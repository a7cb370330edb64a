import Folders
import Testing

@testable import HomeServices

@Suite("HomeServices / folder trees")
struct FolderTreesTests {
    @Test("the files below a path are found, without ignored folders")
    func files() throws {
        let folder = try TemporaryFolder()
        for name in ["sql/a", "sql/deep/b", "sql/temp/c", "other"] { try folder.write(name, "x") }
        let files = Folder.files(below: "sql", in: folder.path, except: "sql/temp")
        #expect(files.sorted() == ["sql/a", "sql/deep/b"])
        #expect(Folder.files(below: "other", in: folder.path, except: nil) == ["other"])
        #expect(Folder.files(below: "missing", in: folder.path, except: nil) == [])
    }

    @Test("a folder is removed with its files and folders of files, and with nothing deeper")
    func remove() throws {
        let folder = try TemporaryFolder()
        for name in ["flat/a", "flat/b/c", "nested/deep/in/c"] { try folder.write(name, "x") }
        Folder.remove(folder.path + "/flat")
        Folder.remove(folder.path + "/nested")
        #expect(Folder.names(in: folder.path) == ["nested"])
        #expect(folder.text("nested/deep/in/c") == "x")
    }
}
