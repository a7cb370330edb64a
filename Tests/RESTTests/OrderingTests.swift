@testable import REST
import Testing

@Suite("REST / ordering")
struct OrderingTests {
    private func sql(_ text: String) throws -> String {
        try Ordering(text).sql(in: TableScope(table: links, name: "l")).text
    }

    @Test(
        "direction and nulls become SQL; nulls of a column without nulls are left out",
        arguments: [
            ("title", #" order by "l"."title""#), ("title.desc.nullslast", #" order by "l"."title" desc nulls last"#),
            ("title.nullsfirst,id.desc", #" order by "l"."title" nulls first, "l"."id" desc"#),
            ("id.asc.nullsfirst", #" order by "l"."id""#), ("", ""),
        ])
    func orders(text: String, expected: String) throws { #expect(try sql(text) == expected) }

    @Test(
        "unknown words and too many columns are refused",
        arguments: [
            "title.up", "title.desc.asc", "title.nullslast.desc", "title,", "articles(title", "articles()",
            "articles(a,b)", "articles->a(b)",
            Array(repeating: "id", count: 51).joined(separator: ","),
        ])
    func refused(text: String) { #expect(throws: QueryError.self) { try sql(text) } }
}
