import JSON
import Testing

@Suite("JSON / reader")
struct JSONReaderTests {
    private func string(_ json: String) throws -> [UInt8]? {
        var reader = JSONReader(Array(json.utf8))
        let bytes = try reader.stringBytes()
        try reader.end()
        return bytes
    }

    @Test(
        "escapes are decoded, and an unpaired surrogate becomes U+FFFD",
        arguments: [
            (#""""#, ""), (#""plain é""#, "plain é"), (#""a\"\\\/\b\f\n\r\tb""#, "a\"\\/\u{8}\u{C}\n\r\tb"),
            (#""\u0041\u00e9\u20AC""#, "Aé€"), (#""\ud83d\ude00x""#, "😀x"), (#""\ud83dx""#, "\u{FFFD}x"),
            (#""\ude00\ud83d""#, "\u{FFFD}\u{FFFD}"), (#""\ud83d\u0041""#, "\u{FFFD}A"), (#""\u0000""#, "\0"),
        ])
    func strings(json: String, text: String) throws {
        #expect(try string(json) == Array(text.utf8))
        #expect(JSONReader.string(Array(json.utf8)[...]) == text || text.contains("\u{FFFD}"))
    }

    @Test("another value is skipped", arguments: ["1.5", "null", "[1,{}]", #"{"a":"b"}"#])
    func others(json: String) throws { #expect(try string(json) == nil) }

    @Test(
        "text that is not JSON is refused",
        arguments: [#"""#, #""\x""#, #""\u12"#, #""\ud83d\u00"#, "\"\u{1}\"", "nul", ""])
    func malformed(json: String) { #expect(throws: JSONReader.Malformed.self) { try string(json) } }

    @Test("members are read in order, also when a name occurs twice")
    func object() throws {
        var reader = JSONReader(Array(#" {"a" : "x\n", "b":[1, 2] ,"\u0061":12345678901234567890} "#.utf8))
        var seen: [String] = []
        try reader.object { name, reader throws(JSONReader.Malformed) in
            seen.append(name + "=" + String(decoding: try reader.slice(), as: UTF8.self))
        }
        try reader.end()
        #expect(seen == [#"a="x\n""#, "b=[1, 2]", "a=12345678901234567890"])
    }

    @Test("names after the limit are checked but not returned")
    func names() throws {
        var reader = JSONReader(Array(#"{"a":1,"b":{"x":2},"b":3,"c":4}"#.utf8))
        #expect(try reader.names(limit: 3) == ["a", "b", "b"])
        try reader.end()
        var malformed = JSONReader(Array(#"{"a":1,"b":}"#.utf8))
        #expect(throws: JSONReader.Malformed.self) { try malformed.names(limit: 1) }
    }
}
