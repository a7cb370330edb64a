import HTTP

/// An error in a request, with PostgREST's codes: 1xx for the request, 2xx for the schema.
public enum QueryError: APIError, Equatable {
    /// A parameter or header that cannot be parsed; `part` names it.
    case malformed(part: String, details: String)
    case badBody(String)
    case unequalKeys
    case unknownTable(String)
    case unknownColumn(table: String, column: String)
    /// A cast to a type that does not exist or that clients may not use.
    case unknownType(String)
    /// The body or `columns` names a column that the table does not have.
    case unknownBodyColumn(table: String, column: String)
    case unknownRelation(table: String, relation: String)
    /// Several relationships fit. Each of the `hints`, after `!`, selects one.
    case ambiguousRelation(table: String, relation: String, hints: [String])
    /// A filter or an order names a relation that is not embedded.
    case filterOnMissingRelation(String)
    /// An order by a column of a relation of which a row may have several.
    case relatedOrder(table: String, relation: String)
    case aggregatesRefused
    case badRange(String)
    case offsetBeyondTotal(offset: Int, total: Int)
    case notOneRow(count: Int)
    case notAcceptable(String)
    case unknownPreferences([String])
    case tooManyAffected(count: Int, limit: Int)
    case noUniqueKey
    case unfilteredWrite
    case unknownSchema(String)
    case unknownFunction(String, arguments: [String])
    /// The filters of a PUT are not exactly the primary key.
    case filtersOfPut
    case rangeOfPut
    /// The body of a PUT has another key than its filters.
    case keyOfPut
    case unsupportedMethod(String)
    case tooComplex(String)
    /// The response would exceed this number of bytes.
    case responseTooLarge(limit: Int)

    public var status: Int {
        switch self {
        case .responseTooLarge: 413
        case .unknownTable, .unknownFunction: 404
        case .unsupportedMethod, .filtersOfPut: 405
        case .notOneRow, .notAcceptable, .unknownSchema: 406
        case .badRange, .offsetBeyondTotal: 416
        case .ambiguousRelation: 300
        default: 400
        }
    }

    public var code: String {
        switch self {
        case .malformed, .tooComplex: "PGRST100"
        case .badBody, .unequalKeys: "PGRST102"
        case .badRange, .offsetBeyondTotal: "PGRST103"
        case .unknownSchema: "PGRST106"
        case .notAcceptable: "PGRST107"
        case .filtersOfPut: "PGRST105"
        case .filterOnMissingRelation: "PGRST108"
        case .relatedOrder: "PGRST118"
        case .rangeOfPut: "PGRST114"
        case .keyOfPut: "PGRST115"
        case .notOneRow: "PGRST116"
        case .unsupportedMethod: "PGRST117"
        case .unknownPreferences: "PGRST122"
        case .aggregatesRefused: "PGRST123"
        case .tooManyAffected: "PGRST124"
        case .unknownRelation: "PGRST200"
        case .ambiguousRelation: "PGRST201"
        case .unknownFunction: "PGRST202"
        case .unknownBodyColumn: "PGRST204"
        case .unknownTable: "PGRST205"
        case .unknownColumn: "42703"
        case .unknownType: "42704"
        case .noUniqueKey: "42P10"
        case .unfilteredWrite: "21000"
        case .responseTooLarge: "LCT413"
        }
    }

    public var message: String {
        switch self {
        case .malformed(let part, _): "failed to parse \(part)"
        case .badBody(let reason): reason
        case .unequalKeys: "All object keys must match"
        case .unknownTable(let table): "Could not find the table 'public.\(table)' in the schema cache"
        case .unknownColumn(let table, let column): "column \(table).\(column) does not exist"
        case .unknownType(let type): "type \"\(type)\" does not exist"
        case .unknownBodyColumn(let table, let column):
            "Could not find the '\(column)' column of '\(table)' in the schema cache"
        case .unknownRelation(let table, let relation):
            "Could not find a relationship between '\(table)' and '\(relation)' in the schema cache"
        case .ambiguousRelation(let table, let relation, _):
            "Could not embed because more than one relationship was found for '\(table)' and '\(relation)'"
        case .filterOnMissingRelation(let relation): "'\(relation)' is not an embedded resource in this request"
        case .relatedOrder(_, let relation): "A related order on '\(relation)' is not possible"
        case .aggregatesRefused: "Use of aggregate functions is not allowed"
        case .badRange, .offsetBeyondTotal: "Requested range not satisfiable"
        case .notOneRow: "Cannot coerce the result to a single JSON object"
        case .notAcceptable(let types): "None of these media types are available: \(types)"
        case .unknownPreferences: "Invalid preferences given with handling=strict"
        case .tooManyAffected: "Query result exceeds max-affected preference constraint"
        case .noUniqueKey: "there is no unique or exclusion constraint matching the ON CONFLICT specification"
        case .unfilteredWrite: "A filter is required to update or delete rows"
        case .unknownSchema(let schema): "Invalid schema: \(schema)"
        case .unknownFunction(let name, let arguments):
            arguments.isEmpty
                ? "Could not find the function public.\(name) without parameters in the schema cache"
                : "Could not find the function public.\(name)(\(arguments.joined(separator: ", "))) in the schema cache"
        case .filtersOfPut: "Filters must include all and only primary key columns with 'eq' operators"
        case .keyOfPut: "Payload values do not match URL in primary key column(s)"
        case .rangeOfPut: "limit/offset querystring parameters are not allowed for PUT"
        case .unsupportedMethod(let method): "Unsupported HTTP method: \(method)"
        case .tooComplex(let what): "\(what) is too complex"
        case .responseTooLarge(let limit): "The response exceeds \(limit) bytes"
        }
    }

    public var details: String? {
        switch self {
        case .malformed(_, let details): details
        case .relatedOrder(let table, let relation):
            "'\(table)' and '\(relation)' do not form a many-to-one or one-to-one relationship"
        case .badRange(let details): details
        case .offsetBeyondTotal(let offset, let total):
            "An offset of \(offset) was requested, but there are only \(total) rows."
        case .notOneRow(let count): "The result contains \(count) rows"
        case .unknownPreferences(let names): "Invalid preferences: \(names.joined(separator: ", "))"
        case .tooManyAffected(let count, _): "The query affects \(count) rows"
        default: nil
        }
    }

    public var hint: String? {
        switch self {
        case .unknownSchema: "Only the following schemas are exposed: public"
        case .ambiguousRelation(_, let relation, let hints):
            "Try one of these: " + hints.map { "\(relation)!\($0)" }.joined(separator: ", ")
        case .unfilteredWrite: "Add a filter such as ?id=eq.<id>"
        case .unknownType: "Cast to one of these types: " + Set(Field.castable.values).sorted().joined(separator: ", ")
        case .responseTooLarge:
            """
            Request fewer rows at once with limit and offset or a Range header, fewer columns with select, or \
            Prefer: return=minimal for a write.
            """
        default: nil
        }
    }
}
