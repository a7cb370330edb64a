/// Why a binding cannot be subscribed to.
enum BindingError: Error, Equatable, CustomStringConvertible {
    case malformed
    case unknownEvent(String)
    case unknownSchema(String)
    case unknownTable(String)
    case malformedFilter(String)
    case filterWithoutTable
    case unknownColumn(String, table: String)
    /// The type of the column cannot be compared.
    case incomparableColumn(String)
    case wrongValue(String, column: String)
    case tooManyValues

    /// The reason in the reply. It quotes at most a part of what the client has sent.
    var description: String {
        switch self {
        case .malformed: "An entry of postgres_changes must be an object with event, schema, table and filter as texts"
        case .unknownEvent(let event): "Unknown event \(Self.quoted(event)); use INSERT, UPDATE, DELETE or *"
        case .unknownSchema(let schema): "The schema \(Self.quoted(schema)) has no changes to subscribe to; use public"
        case .unknownTable(let table): "The table \(Self.quoted(table)) has no changes to subscribe to"
        case .malformedFilter(let filter):
            "Malformed filter \(Self.quoted(filter)); use column=operator.value with the operator "
                + Filter.Operator.allCases.map(\.rawValue).joined(separator: ", ")
        case .filterWithoutTable: "A filter needs a table"
        case .unknownColumn(let column, let table): "The table \(table) has no column \(Self.quoted(column))"
        case .incomparableColumn(let column): "The column \(column) has a type that filters cannot compare"
        case .wrongValue(let value, let column):
            "The value \(Self.quoted(value)) does not have the type of the column \(column)"
        case .tooManyValues: "A filter has at most \(Filter.maxValues) values"
        }
    }

    private static func quoted(_ text: String) -> String { "\"" + String(text.unicodeScalars.prefix(100)) + "\"" }
}
