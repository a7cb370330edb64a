@testable import REST
import Testing

@Suite("REST / fields")
struct FieldTests {
    private func field(_ text: String) throws -> Field {
        var scanner = QueryScanner(text, part: "test")
        return try scanner.field()
    }

    @Test(
        "the name of a value is the last key of its path, else the column",
        arguments: [
            ("title", "title"), ("facts->a", "a"), ("facts->a->0", "a"), ("facts->0", "facts"),
        ])
    func names(text: String, name: String) throws { #expect(try field(text).name == name) }

    @Test("keys are binds, indexes are text, and other types are converted to JSON")
    func sql() throws {
        let scope = TableScope(table: articles, name: "x")
        let path = try field("facts->a->0").sql(in: scope)
        #expect(path.text == #"("x"."facts"->$1::text->0)"# && path.binds == ["a"])
        #expect(try field("title->a").sql(in: scope).text == #"(to_jsonb("x"."title")->$1::text)"#)
    }

    @Test("an unknown column is refused")
    func unknown() throws {
        let field = try field("nope")
        #expect(throws: QueryError.unknownColumn(table: "articles", column: "nope")) {
            try field.sql(in: TableScope(table: articles, name: "x"))
        }
    }

    @Test("the length of a path is limited")
    func long() {
        #expect(throws: QueryError.self) { try field("a" + String(repeating: "->b", count: 51)) }
    }
}
