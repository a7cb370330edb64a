@testable import Postgres
import Testing

@Suite("Postgres / rendered statements")
struct RenderedStatementTests {
    @Test("binds become C strings, and nil becomes NULL")
    func binds() throws {
        let sql: SQL = "select \("é"), \(nil as String?), \("")"
        let statement = try RenderedStatement(sql)
        #expect(statement.text == "select $1, $2, $3")
        let values = statement.withValues { values in values.map { $0.map { String(cString: $0) } } }
        #expect(values == ["é", nil, ""])
    }

    @Test("a NUL is refused")
    func nul() { #expect(throws: PostgresError.nulInText) { try RenderedStatement("select \("a\0b")") } }
}
