import Glibc
import Processes
import Testing

@Suite("Processes / own program")
struct OwnProgramTests {
    @Test("the folder is the one that contains this program")
    func folder() throws {
        let folder = try #require(OwnProgram.folder)
        #expect(folder.hasPrefix("/") && folder.hasSuffix("/"))
        #expect(access(folder, X_OK) == 0)
    }

    @Test("a sibling lies in the same folder")
    func sibling() {
        #expect(OwnProgram.sibling("other") == OwnProgram.folder.map { $0 + "other" })
    }
}
