import HTML

/// Tells tables of data from tables that only arrange the page.
/// Source of the rules: Mozilla Readability, after Firefox' accessibility code (TableAccessible.cpp).
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

    /// The number an attribute begins with; 1 for none and for 0. Larger ones than the standard allows (1000) are cut.
    private static func span(_ value: String?) -> Int {
        let digits = WhiteSpace.trim(value ?? "").prefix { $0.isASCII && $0.isNumber }
        guard let number = Int(digits), number != 0 else { return 1 }
        return min(number, 1000)
    }
}
