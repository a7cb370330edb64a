@testable import Telemetry
import Testing

@Suite("Telemetry / log lines")
struct JSONLineTests {
    private func text(_ line: consuming JSONLine) -> String { String(decoding: line.finished(), as: UTF8.self) }

    @Test("a line is one JSON object with time, level and message")
    func shape() {
        let text = text(JSONLine(level: "info", message: "request"))
        let pattern = /\{"time":"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z","level":"info","message":"request"\}\n/
        #expect(text.wholeMatch(of: pattern) != nil)
    }

    @Test("members keep their order and types")
    func members() {
        var line = JSONLine(level: "info", message: "m")
        line.add("a", "b")
        line.add("n", 5)
        line.add(name: "c", value: "d")
        line.add(name: "e", json: "[1]")
        #expect(text(line).hasSuffix(#","a":"b","n":5,"c":"d","e":[1]}"# + "\n"))
    }

    @Test(
        "durations are milliseconds with three decimals",
        arguments: [
            (Duration.zero, "0.000"), (.microseconds(7), "0.007"), (.microseconds(12_345), "12.345"),
            (.milliseconds(50), "50.000"),
        ])
    func durations(duration: Duration, number: String) {
        var line = JSONLine(level: "info", message: "m")
        line.add("ms", duration)
        #expect(text(line).hasSuffix(",\"ms\":\(number)}\n"))
    }

    @Test("quotes, backslashes and control characters are escaped, so that a line stays one line")
    func escapes() {
        let text = text(JSONLine(level: "info", message: "a\"b\\c\nd\u{1f}é"))
        #expect(text.contains(#""message":"a\"b\\c\u000ad\u001fé""#))
        #expect(text.split(separator: "\n").count == 1)
    }
}
