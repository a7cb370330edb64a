import Testing

@testable import HomeServices

@Suite("HomeServices / log trimmer")
struct LogTrimmerTests {
    @Test("a large log moves to a second file, and others stay")
    func trim() throws {
        let folder = try TemporaryFolder()
        try folder.write("a.log", "12345")
        try folder.write("b.log", "1234")
        try folder.write("c.txt", "12345")
        var trimmer = LogTrimmer(folder: folder.path)
        trimmer.largest = 4
        trimmer.trim()
        #expect(folder.text("a.log") == "" && folder.text("a.log.1") == "12345")
        #expect(folder.text("b.log") == "1234" && folder.text("b.log.1") == nil)
        #expect(folder.text("c.txt") == "12345")
        try folder.write("a.log", "67890")
        trimmer.trim()
        #expect(folder.text("a.log.1") == "67890")
    }
}
