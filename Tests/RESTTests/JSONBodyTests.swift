import HTTP
@testable import REST
import Testing

@Suite("REST / bodies")
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

    @Test("an object has at most 200 keys, repeated ones included")
    func keys() throws {
        func object(_ keys: Int) -> String { "{" + (1...keys).map { "\"k\($0)\":1" }.joined(separator: ",") + "}" }
        #expect(try outline(object(200)).keys.count == 200)
        for text in [object(201), "[{}," + object(201) + "]", object(100_000)] {
            #expect(throws: QueryError.badBody("An object has more than 200 keys")) { try outline(text) }
        }
    }

    private func body(_ type: String, _ text: String, of resource: Resource = .table("links")) throws -> JSONBody? {
        let request = Request(
            method: "POST", path: "/", headers: ["content-type": type], body: Array(text.utf8))
        return try JSONBody(of: request, for: resource)
    }

    @Test("a form becomes an object of strings, of which the last of a name counts")
    func form() throws {
        let form = try body("application/x-www-form-urlencoded; charset=utf-8", "b=1&a=x+%22y%22&b=%C3%A9&c")
        #expect(form?.text == #"{"a":"x \"y\"","b":"é","c":""}"#)
        #expect(form?.outline == .init(shape: .object, keys: ["a", "b", "c"], keysMatch: true))
        #expect(try body("application/x-www-form-urlencoded", "")?.text == "{}")
        #expect(throws: QueryError.self) { try body("application/x-www-form-urlencoded", "a=%g0") }
    }

    @Test("CSV becomes an array of objects, for a function the object of its only line")
    func csv() throws {
        let csv = try body("text/csv", "b,a\r\n1,\"x, \"\"y\"\"\nz\"\r\n\r\nNULL,\"NULL\"\r\n,é")
        #expect(
            csv?.text == #"[{"b":"1","a":"x, \"y\"\u000az"},{"b":null,"a":"NULL"},{"b":"","a":"é"}]"#)
        #expect(csv?.outline == .init(shape: .several, keys: ["a", "b"], keysMatch: true))
        #expect(try body("text/csv", "\u{FEFF}a\n1")?.text == #"[{"a":"1"}]"#)
        #expect(try body("text/csv", "a\n")?.outline.shape == JSONBody.Shape.none)
        let call = try body("text/csv", "a\n1", of: .function("f"))
        #expect(call?.text == #"{"a":"1"}"# && call?.outline.shape == .object)
        #expect(throws: QueryError.self) { try body("text/csv", "a\n1\n2", of: .function("f")) }
    }

    @Test(
        "a body that is not valid CSV is refused",
        arguments: [
            "", "\n", "a,b\n1", "a\n1,2", "a,a\n1,2", "a,\n1,2", "a\n\"1", "a\n1\"2\"", "a\n\"1\"2",
            String(repeating: "a,", count: 1_000),
        ])
    func badCSV(text: String) {
        let error = #expect(throws: QueryError.self) { try body("text/csv", text) }
        #expect(error?.code == "PGRST102")
    }

    @Test("the JSON of a CSV body is limited, because it repeats the names")
    func longCSV() {
        let name = String(repeating: "n", count: 10_000)
        let error = #expect(throws: QueryError.self) {
            try body("text/csv", name + "\n" + String(repeating: "x\n", count: 4_000))
        }
        #expect(error?.code == "PGRST100")
    }

    @Test("other types are refused", arguments: ["text/xml", "multipart/form-data", "application/octet-stream"])
    func otherTypes(type: String) { #expect(throws: QueryError.self) { try body(type, "{}") } }
}
