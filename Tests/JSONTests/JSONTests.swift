import JSON
import Testing

@Suite("JSON / values")
struct JSONTests {
    @Test("values are parsed as RFC 8259 defines them")
    func reads() {
        let json = JSON(parsing: #" {"a":[1,-2.5e1,true,false,null],"b":{"c":"x\n\u00e9\ud83d\ude00\/"}} "#.utf8)
        #expect(json?["a"]?.array == [.number(1), .number(-25), .bool(true), .bool(false), .null])
        #expect(json?["b"]?["c"]?.string == "x\né😀/")
    }

    @Test(
        "invalid JSON is refused",
        arguments: [
            "", "{", "[1,]", "{\"a\"}", "\"a", "tru", "1 2", "\"\\x\"", "\"\n\"", "nul", "{\"a\":1,}", "\"\\u12\"",
            "01", "1.", ".5", "+1", "1e", "-", "\"a\\nb\u{1}\"", "\"a\\nb",
        ])
    func refuses(text: String) { #expect(JSON(parsing: text.utf8) == nil) }

    @Test("unlimited nesting is refused")
    func deep() { #expect(JSON(parsing: String(repeating: "[", count: 1_000_000).utf8) == nil) }

    @Test("a lone surrogate becomes U+FFFD")
    func surrogate() { #expect(JSON(parsing: #""\ud800x""#.utf8)?.string == "\u{FFFD}x") }

    @Test("the output is one line, also by Unicode's line separators")
    func oneLine() {
        let text = "a\u{2028}b\u{2029}c\u{85}d\u{0}\u{1F}\u{A0}\u{2027}\u{202A}"
        let written = JSON.string(text).bytes
        #expect(
            String(decoding: written, as: UTF8.self)
                == "\"a\\u2028b\\u2029c\\u0085d\\u0000\\u001f\u{A0}\u{2027}\u{202A}\"")
        #expect(JSON(parsing: written)?.string == text)
    }

    @Test("output is parsed back to the same value")
    func roundTrip() {
        let json = JSON.object([
            .init("k\"\\\n\u{1}", .array([.string("é\t"), .number(3), .number(0.5), .null, .bool(true)]))
        ])
        #expect(JSON(parsing: json.bytes) == json)
    }
}
