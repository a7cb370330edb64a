import REST
import Testing

@Suite("REST / JSON bodies")
struct JSONBodyTests {
    private func outline(_ text: String) throws -> JSONBody.Outline { try JSONBody(Array(text.utf8)).outline }

    @Test(
        "the outline is the shape and the keys of the first object",
        arguments: [
            (#"{"b":1,"a":[{"c":2}],"b":3}"#, JSONBody.Shape.object, ["a", "b"]),
            (" [ ] ", .none, []), ("[{}]", .one, []), (#"[{"a":{}},{"a":null}]"#, .several, ["a"]),
            (#"{"\u0061\"":1}"#, .object, ["a\""]), (#"{"⭐ ":true}"#, .object, ["⭐ "]), ("{}", .object, []),
        ])
    func outlines(text: String, shape: JSONBody.Shape, keys: [String]) throws {
        let found = try outline(text)
        #expect(found.shape == shape && found.keys == keys && found.keysMatch)
    }

    @Test(
        "objects match if they have the same keys in any order",
        arguments: [
            (#"[{"a":1,"b":2},{"b":1,"a":2}]"#, true), (#"[{"a":1},{"b":1}]"#, false), (#"[{"a":1},{}]"#, false),
        ])
    func matching(text: String, isMatch: Bool) throws {
        #expect(try outline(text).keysMatch == isMatch)
    }

    @Test(
        "every number, word and escape of JSON is accepted",
        arguments: [
            "0", "-0", "10", "1.5", "-1.25e+10", "1E5", "2e-3", "true", "false", "null", #""\\\/\b\f\n\r\t\uD83D""#,
            "[1,[2]]",
        ])
    func values(value: String) throws {
        #expect(try outline("{\"a\":\(value)}").keys == ["a"])
    }

    @Test(
        "malformed JSON is refused",
        arguments: [
            "01", "1.", ".5", "-", "+1", "1e", "tru", "nul", "True", "NaN", "'a'", #""\x""#, #""\u12g4""#, "\"a",
            "\"\n\"",
            "[1,]", "[1 2]", "[", "{]", #"{"b" 1}"#, #"{"b":1,}"#, "{1:2}", "",
        ])
    func malformed(value: String) {
        #expect(throws: QueryError.self) { try outline("{\"a\":\(value)}") }
    }

    @Test(
        "trailing text and values other than objects are refused",
        arguments: [
            "{} {}", "{}x", "[]]", "5", "\"a\"", "[[]]", "[{},1]", "null", " ", "\u{FEFF}{}",
        ])
    func others(text: String) {
        #expect(throws: QueryError.self) { try outline(text) }
    }

    @Test("nesting is limited to 512", arguments: [(511, true), (512, false), (1_000_000, false)])
    func depth(arrays: Int, isAccepted: Bool) {
        let text = #"{"a":"# + String(repeating: "[", count: arrays) + String(repeating: "]", count: arrays) + "}"
        #expect(((try? outline(text)) != nil) == isAccepted)
    }
}
