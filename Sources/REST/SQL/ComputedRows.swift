import Postgres

/// Tables may have rows that the database computes when they are read. Views of schema `rest` show them beside the
/// stored rows; writes reach the stored ones alone.
extension Catalog.Table {
    /// What a read of the table selects from.
    ///
    /// - Parameter columns: the columns that tie the rows to those of another table; none for the outermost table.
    func source(joinedBy columns: [String]) -> SQL {
        let names = columns.map { name + "_by_" + $0 } + [name]
        let view = names.first { views.contains($0) }
        return view.map { .name("rest", $0) } ?? .name("public", name)
    }
}

extension ReadPlan {
    /// Whether the read, or an embedding in it, uses such a view.
    var showsComputedRows: Bool {
        !table.views.isEmpty
            || embedded.contains {
                $0.relationship.junction?.table.views.isEmpty == false || $0.reading.showsComputedRows
            }
    }
}
