/// How the values of a PostgreSQL type are compared in a filter.
enum ColumnType: Equatable, Sendable {
    case integer
    case number
    case boolean
    case date
    case timestamp
    case uuid
    /// Texts and enums. The database has the locale C.UTF-8, so texts are compared by their bytes.
    case text
    /// A type whose values cannot be compared here, such as an array.
    case other

    /// - Parameters:
    ///   - name: PostgreSQL's short name, such as `int4` or `timestamptz`.
    ///   - isEnum: whether it is an enum.
    init(name: String, isEnum: Bool) {
        if isEnum {
            self = .text
            return
        }
        self =
            switch name {
            case "int2", "int4", "int8", "oid": .integer
            case "float4", "float8", "numeric": .number
            case "bool": .boolean
            case "date": .date
            case "timestamp", "timestamptz": .timestamp
            case "uuid": .uuid
            case "text", "varchar", "bpchar", "name": .text
            default: .other
            }
    }
}
