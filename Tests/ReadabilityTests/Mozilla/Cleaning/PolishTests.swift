import Testing

@testable import Readability

@Suite("Readability / polish")
struct PolishTests {
    private func polish(base: String? = nil) -> Polish {
        Polish(base: base, url: "https://h.example/a/b", keptClasses: [], mode: .compat, sourceBytes: 0)
    }

    @Test("URLs are resolved against the base element or the page; links within the page stay")
    func absolute() {
        var plain = polish()
        #expect(plain.absolute("c") == "https://h.example/a/c")
        #expect(plain.absolute("#c") == "#c")
        var based = polish(base: "/other/")
        #expect(based.absolute("c") == "https://h.example/other/c")
        #expect(based.absolute("#c") == "https://h.example/other/#c")
    }

    @Test("a base of more than 8192 bytes is ignored")
    func longBase() {
        var polish = polish(base: "https://h.example/" + String(repeating: "a", count: 9_000) + "/")
        #expect(polish.absolute("c") == "https://h.example/a/c")
    }

    @Test("URLs stay relative once they have grown by the limit")
    func growth() {
        var polish = polish(base: "https://h.example/" + String(repeating: "a", count: 8_000) + "/")
        let first = polish.absolute("c")
        for _ in 0..<200 { _ = polish.absolute("c") }
        #expect(first.hasPrefix("https:") && polish.absolute("c") == "c")
    }
}
