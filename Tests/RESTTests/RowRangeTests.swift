@testable import REST
import Testing

@Suite("REST / row ranges")
struct RowRangeTests {
    @Test(
        "the Range header accepts two forms and ignores others",
        arguments: [
            ("0-14", RowRange(offset: 0, limit: 15)), ("5-", RowRange(offset: 5)),
            ("items=2-3", RowRange(offset: 2, limit: 2)),
            ("bytes=0-1", RowRange()), ("-5", RowRange()), ("a-b", RowRange()), ("0-99999999999", RowRange()),
        ])
    func headers(text: String, expected: RowRange) throws {
        var range = RowRange()
        try range.narrow(range: text)
        #expect(range == expected)
    }

    @Test("numbers that are not integers or too large are refused", arguments: ["x", "1.5", "2147483647"])
    func numbers(text: String) {
        var range = RowRange()
        #expect(throws: QueryError.self) { try range.narrow("limit", text) }
    }

    @Test("a negative offset is ignored, a negative limit is refused")
    func negative() throws {
        var range = RowRange(limit: 5)
        try range.narrow("offset", "-3")
        #expect(range == RowRange(limit: 5))
        #expect(throws: QueryError.self) { try range.narrow("limit", "-1") }
    }

    @Test("the limit is text and the offset a bind")
    func sql() {
        let sql = RowRange(offset: 30, limit: 15).sql
        #expect(sql.text == " limit 15 offset $1::int" && sql.binds == ["30"])
        #expect(RowRange().sql.isEmpty)
    }
}
