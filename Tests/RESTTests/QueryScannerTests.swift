@testable import REST
import Testing

@Suite("REST / scanner")
struct QueryScannerTests {
    private func scanner(_ text: String) -> QueryScanner { QueryScanner(text, part: "test") }

    @Test(
        "a bare name ends at a delimiter, a blank or an arrow",
        arguments: [
            ("a.b", "a"), ("a,b", "a"), ("a(b", "a"), ("a!b", "a"), ("a b", "a"), ("a->b", "a"), ("a-b", "a-b"),
            ("ä_1", "ä_1"),
        ])
    func names(text: String, name: String) throws {
        var scanner = scanner(text)
        #expect(try scanner.name() == name)
    }

    @Test("a quoted name may contain delimiters and escapes")
    func quoted() throws {
        var scanner = scanner(#""a.\"b\\",c"#)
        #expect(try scanner.name() == #"a."b\"#)
        #expect(scanner.rest == ",c")
    }

    @Test(
        "an empty name and an unterminated quotation are refused with their position",
        arguments: ["", ".a", "\"a", "\"a\\"])
    func malformed(text: String) {
        var scanner = scanner(text)
        let error = #expect(throws: QueryError.self) { try scanner.name() }
        #expect(error?.details?.contains("at character") == true)
    }

    @Test("a combining mark after a delimiter does not hide it")
    func combining() throws {
        var scanner = scanner("a,\u{301}b")
        #expect(try scanner.name() == "a")
        let isComma = scanner.take(",")
        #expect(isComma)
    }

    @Test("JSON paths have keys and indexes")
    func paths() throws {
        var scanner = scanner(#"data->a->0->>"1""#)
        let field = try scanner.field()
        #expect(field.path.map(\.operand) == [.key("a"), .index(0), .key("1")])
        #expect(field.path.map(\.isText) == [false, false, true])
    }

    @Test("only known types can be cast to")
    func casts() throws {
        var (known, unknown, none) = (scanner("::integer"), scanner("::regclass"), scanner(","))
        #expect(try known.cast() == "int4")
        #expect(throws: QueryError.self) { try unknown.cast() }
        #expect(try none.cast() == nil)
    }
}
