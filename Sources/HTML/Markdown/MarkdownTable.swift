/// A table under construction: finished cells, row by row.
struct MarkdownTable {
    private var head: [[UInt8]]?
    private var body: [[UInt8]] = []
    private var columns = 0

    private var row: [[UInt8]] = []
    private var isHead = false
    private var hasRow = false
    /// For each column, the number of further rows that the cell above spans.
    private var remainingSpans: [Int] = []

    /// Maximum column that a spanning cell reaches. Without it, each row of a table could be wider than the previous
    /// one.
    static let maximumColumns = 64

    mutating func beginRow(isHead: Bool) {
        endRow()
        hasRow = true
        self.isHead = isHead
    }

    mutating func add(_ text: [UInt8], columns: Int, rows: Int) {
        skipSpannedColumns()
        for column in 0..<max(1, columns) {
            if rows > 1 && row.count < Self.maximumColumns {
                while remainingSpans.count <= row.count { remainingSpans.append(0) }
                // The count includes this row.
                remainingSpans[row.count] = rows
            }
            row.append(column == 0 ? text : [])
        }
    }

    private mutating func skipSpannedColumns() {
        while row.count < remainingSpans.count, remainingSpans[row.count] > 0 { row.append([]) }
    }

    private mutating func endRow() {
        defer {
            row = []
            hasRow = false
        }
        for column in remainingSpans.indices where remainingSpans[column] > 0 { remainingSpans[column] -= 1 }
        guard hasRow, row.contains(where: { !$0.isEmpty }) else { return }
        columns = max(columns, row.count)
        if isHead && head == nil && body.isEmpty { head = row } else { body.append(Self.line(row)) }
    }

    private static func line(_ cells: [[UInt8]]) -> [UInt8] {
        var line: [UInt8] = []
        for cell in cells {
            line += "|".utf8
            line.append(0x20)
            line += cell
            if !cell.isEmpty { line.append(0x20) }
        }
        return line + "|".utf8
    }

    /// Returns all lines. The header row comes first and has as many cells as the widest row, because parsers drop
    /// surplus cells of other rows. A table without a header row gets an empty one.
    mutating func finish() -> [[UInt8]] {
        endRow()
        guard columns > 0 else { return [] }
        let head = head ?? []
        let padding = [[UInt8]](repeating: [], count: columns - head.count)
        let rule = [[UInt8]](repeating: Array("---".utf8), count: columns)
        return [Self.line(head + padding), Self.line(rule)] + body
    }
}
