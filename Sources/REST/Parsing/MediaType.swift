/// The format of the response, from `Accept`.
public struct MediaType: Sendable, Equatable {
    public var kind: Kind
    /// `nulls=stripped`: members that are null are omitted.
    public var stripsNulls = false

    public enum Kind: Sendable, Equatable {
        case array
        /// `application/vnd.pgrst.object+json`: one object. If there is not exactly one row, the response is 406 and
        /// nothing is changed.
        case singular
        case csv
    }

    public var contentType: String {
        let stripped = stripsNulls ? ";nulls=stripped" : ""
        switch kind {
        case .array where stripsNulls: return "application/vnd.pgrst.array+json\(stripped); charset=utf-8"
        case .array: return "application/json; charset=utf-8"
        case .singular: return "application/vnd.pgrst.object+json\(stripped); charset=utf-8"
        case .csv: return "text/csv; charset=utf-8"
        }
    }

    /// The first of the accepted types that is available.
    ///
    /// - Parameter accept: the values of all `Accept` headers.
    init(_ accept: [String]) throws(QueryError) {
        let types = accept.flatMap { $0.split(separator: ",") }.map { $0.trimmed.lowercased() }.filter { !$0.isEmpty }
        guard !types.isEmpty else {
            self.init(kind: .array)
            return
        }
        for type in types {
            let parts = type.split(separator: ";").map { String($0.trimmed) }
            if let kind = Self.kinds[parts.first ?? ""] {
                let mayStrip = kind != .csv && parts[0].hasPrefix("application/vnd.pgrst.")
                self.init(kind: kind, stripsNulls: mayStrip && parts.contains("nulls=stripped"))
                return
            }
        }
        throw .notAcceptable(types.joined(separator: ", "))
    }

    init(kind: Kind, stripsNulls: Bool = false) {
        self.kind = kind
        self.stripsNulls = stripsNulls
    }

    private static let kinds: [String: Kind] = [
        "application/json": .array, "application/vnd.pgrst.array+json": .array, "application/vnd.pgrst.array": .array,
        "*/*": .array, "application/*": .array, "application/vnd.pgrst.object+json": .singular,
        "application/vnd.pgrst.object": .singular, "text/csv": .csv,
    ]
}
