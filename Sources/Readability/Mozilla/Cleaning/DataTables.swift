import HTML

/// Distinguishes data tables from layout tables.
/// Source of the rules: Mozilla Readability, which follows Firefox's accessibility code (TableAccessible.cpp).
enum DataTables {
    static func find(below content: NodeID, in document: Document) -> Set<NodeID> {
        Set(document.elements([.table], below: content).filter { isData($0, in: document) })
    }

    private static func isData(_ table: NodeID, in document: Document) -> Bool {
        if document.attribute(table, .role, is: "presentation") { return false }
        if document.attribute(table, .datatable, is: "0") { return false }
        if document.attribute(table, .summary).nonEmpty != nil { return true }
        if let caption = document.first([.caption], below: table), document.firstChild(caption) != nil { return true }
        if document.contains(Vocabulary.dataTableParts, below: table) { return true }
        if document.contains([.table], below: table) { return false }
        let (rows, columns) = size(of: table, in: document)
        if rows == 1 || columns == 1 { return false }
        if rows >= 10 || columns > 4 { return true }
        return rows * columns > 10
    }

    private static func size(of table: NodeID, in document: Document) -> (rows: Int, columns: Int) {
        var rows = 0
        var columns = 0
        for row in document.elements([.tr], below: table) {
            rows += span(document.attribute(row, .rowspan))
            let width = document.elements([.td], below: row).reduce(0) { $0 + span(document.attribute($1, .colspan)) }
            columns = max(columns, width)
        }
        return (rows, columns)
    }

    /// Returns the number at the start of an attribute value, which may be negative; 1 if there is none or it is 0.
    /// Values above 1000, the maximum in the HTML standard, count as 1000.
    private static func span(_ value: String?) -> Int {
        let text = WhiteSpace.trim(value ?? "").utf8
        let isSigned = text.first == UInt8(ascii: "-") || text.first == UInt8(ascii: "+")
        let digits = text.dropFirst(isSigned ? 1 : 0).prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
        guard !digits.isEmpty else { return 1 }
        let number = digits.drop { $0 == UInt8(ascii: "0") }.prefix(5).reduce(0) { $0 * 10 + Int($1 - 0x30) }
        guard number != 0 else { return 1 }
        return min(number, 1000) * (text.first == UInt8(ascii: "-") ? -1 : 1)
    }
}
