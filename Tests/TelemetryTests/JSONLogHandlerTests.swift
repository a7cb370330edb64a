import Logging
import Telemetry
import Testing

@Suite("Telemetry / log handler")
struct JSONLogHandlerTests {
    @Test("metadata can be set and read by name")
    func metadata() {
        var handler = JSONLogHandler(level: .warning)
        handler[metadataKey: "program"] = "test"
        #expect(handler[metadataKey: "program"] == "test")
        #expect(handler.logLevel == .warning)
    }
}
