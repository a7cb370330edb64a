import Testing

@testable import Settings

@Suite("Settings / secrets file")
struct SecretsFileTests {
    @Test("lines NAME='value' are read as they stand, and comments and empty lines do not count")
    func values() throws {
        let file = try SecretsFile(parsing: "# why\n\nLECTERN_A='x=y \"z\"'\nLECTERN_B=''\n", path: "f")
        #expect(file.values == ["LECTERN_A": "x=y \"z\"", "LECTERN_B": ""])
    }

    @Test(
        "an error names the line and does not repeat it", arguments: ["LECTERN_A=hunter2", "hunter2", "A='hunt'er2'"])
    func errors(line: String) {
        let error = #expect(throws: SecretsFile.Unreadable.self) {
            try SecretsFile(parsing: "LECTERN_B='1'\n\(line)\n", path: "f")
        }
        #expect(error?.reason == "f line 2: expected NAME='value'")
    }

    @Test("a file that is missing or too large is an error", arguments: ["/nonexistent/secrets", "/dev/zero"])
    func unreadable(path: String) {
        let error = #expect(throws: SecretsFile.Unreadable.self) { try SecretsFile(path: path) }
        #expect(error?.reason.hasPrefix(path) == true)
    }
}
