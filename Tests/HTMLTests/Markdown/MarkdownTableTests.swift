import Testing

@testable import HTML

@Suite("HTML / Markdown table")
struct MarkdownTableTests {
    private func lines(_ table: MarkdownTable) -> [String] {
        var table = table
        return table.finish().map { String(decoding: $0, as: UTF8.self) }
    }

    @Test("the header row has as many cells as the widest row")
    func header() {
        var table = MarkdownTable()
        table.beginRow(isHead: true)
        table.add(Array("a".utf8), columns: 1, rows: 1)
        table.beginRow(isHead: false)
        table.add(Array("b".utf8), columns: 1, rows: 1)
        table.add(Array("c".utf8), columns: 1, rows: 1)
        #expect(lines(table) == ["| a | |", "| --- | --- |", "| b | c |"])
    }

    @Test("cells that span rows and columns leave empty cells")
    func spans() {
        var table = MarkdownTable()
        table.beginRow(isHead: false)
        table.add(Array("a".utf8), columns: 1, rows: 2)
        table.add(Array("b".utf8), columns: 2, rows: 1)
        table.beginRow(isHead: false)
        table.add(Array("c".utf8), columns: 1, rows: 1)
        #expect(lines(table) == ["| | | |", "| --- | --- | --- |", "| a | b | |", "| | c |"])
    }

    @Test("a table without text is empty")
    func empty() {
        var table = MarkdownTable()
        table.beginRow(isHead: true)
        table.add([], columns: 1, rows: 1)
        #expect(lines(table) == [])
    }
}
