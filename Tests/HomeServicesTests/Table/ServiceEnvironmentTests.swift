import Testing

@testable import HomeServices

@Suite("HomeServices / environment")
struct ServiceEnvironmentTests {
    @Test("the variables of a file follow those of every service")
    func values() throws {
        let entries = try ServiceEnvironment.parse("A='b c='\n# comment\nMALLOC_TRIM_THRESHOLD_='1'\nEMPTY=''\n")
        #expect(entries == ServiceEnvironment.common + ["A=b c=", "MALLOC_TRIM_THRESHOLD_=1", "EMPTY="])
    }

    @Test(
        "anything but NAME='value' is an error",
        arguments: ["A=b", "A='b", "a='b'", "1A='b'", "export A='b'", "A='b'c'", "A='", "='b'", "A"])
    func errors(line: String) {
        #expect(throws: TableError(line: 2, reason: "expected NAME='value'")) {
            try ServiceEnvironment.parse("X='1'\n\(line)\n")
        }
    }
}
