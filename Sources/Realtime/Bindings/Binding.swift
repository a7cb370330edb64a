import JSON

/// One entry of `postgres_changes` in a join: the changes that a channel wants.
struct Binding: Equatable, Sendable {
    /// Positive, because supabase-py takes 0 as absent. Unique on its socket.
    var id: Int
    /// Nil: every operation.
    var operation: Change.Operation?
    /// Nil: every table.
    var table: String?
    var filter: Filter?

    /// - Parameter json: the entry as `echo` returns it.
    /// - Throws: if it is malformed or names something that has no changes.
    init(_ json: JSON, tables: Tables) throws(BindingError) {
        guard case .number(let id) = json["id"] else { throw .malformed }
        self.id = Int(id)
        operation = try Self.operation(try Self.text("event", in: json) ?? Self.everything)
        let schema = try Self.text("schema", in: json) ?? Self.schema
        guard schema == Self.schema || schema == Self.everything else { throw .unknownSchema(schema) }
        let filter = try Self.text("filter", in: json) ?? ""
        guard let name = try Self.text("table", in: json), name != Self.everything else {
            guard filter.isEmpty else { throw .filterWithoutTable }
            return
        }
        guard let table = tables[name] else { throw .unknownTable(name) }
        self.table = name
        if !filter.isEmpty { self.filter = try Filter(filter, on: table) }
    }

    /// Whether the change is one that the channel wants.
    func matches(_ change: Change, _ row: Row) -> Bool {
        (operation == nil || operation == change.operation) && (table == nil || table == change.table)
            && filter?.matches(row) != false
    }

    /// What a binding takes besides its text, in bytes: itself, and its values, each in memory of its own.
    var overhead: Int { Self.ownBytes + (filter?.values.count ?? 0) * Self.valueBytes }

    private static let ownBytes = 128
    private static let valueBytes = 64

    /// The entry as the client sent it, with its id first.
    static func echo(_ json: JSON, id: Int) -> JSON {
        guard case .object(let members) = json else { return json }
        return .object([.init("id", .number(Double(id)))] + members.filter { $0.key != "id" })
    }

    private static let schema = "public"
    private static let everything = "*"

    private static func operation(_ event: String) throws(BindingError) -> Change.Operation? {
        if event == everything { return nil }
        guard let operation = Change.Operation(rawValue: event.uppercased()) else { throw .unknownEvent(event) }
        return operation
    }

    /// A member that is a text; nil if it is absent or null.
    private static func text(_ name: String, in json: JSON) throws(BindingError) -> String? {
        switch json[name] {
        case nil, .null: return nil
        case .string(let text): return text
        default: throw .malformed
        }
    }
}
