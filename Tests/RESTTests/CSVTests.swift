@testable import REST
import Testing

@Suite("REST / CSV")
struct CSVTests {
    @Test(
        "values are quoted only where necessary",
        arguments: [
            (["a", "b c"], "a,b c\n"), (["a,b", "c"], "\"a,b\",c\n"), (["a\"b"], "\"a\"\"b\"\n"),
            (["a\nb", "c\rd"], "\"a\nb\",\"c\rd\"\n"),
            (["a\r\nb"], "\"a\r\nb\"\n"), (["", ""], ",\n"),
        ])
    func lines(values: [String], line: String) { #expect(CSV.line(values) == line) }
}
