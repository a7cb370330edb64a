import CPostgres

/// The parameters of a conninfo by libpq's names, for programs that are given each of them on their own.
public struct ConnectionParameters: Sendable, Equatable {
    public let values: [String: String]

    /// - Parameter conninfo: libpq's keyword string or URI.
    /// - Throws: `unavailable` with libpq's description of what is wrong.
    public init(_ conninfo: String) throws(PostgresError) {
        var message: UnsafeMutablePointer<CChar>?
        guard let options = PQconninfoParse(conninfo, &message) else {
            let reason = message.map { String(cString: $0) } ?? "out of memory"
            PQfreemem(message)
            throw .unavailable(reason: reason)
        }
        defer { PQconninfoFree(options) }
        var (values, option) = ([String: String](), options)
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        self.values = values
    }
}
