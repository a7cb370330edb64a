/// Runs batches of statements, each batch as one transaction. The conforming value decides on which connection and
/// under which identity.
public protocol TransactionRunner {
    /// Runs the statements of a batch as one transaction.
    ///
    /// - Returns: one `Rows` per statement, in order.
    /// - Throws: see `Connection.transaction`.
    func run(_ batch: [SQL]) throws(PostgresError) -> [Rows]
}

/// Runs transactions under one identity on a thread's database.
public struct IdentityTransactions: TransactionRunner {
    private let database: Database
    private let identity: Identity

    public init(_ database: Database, as identity: Identity) {
        self.database = database
        self.identity = identity
    }

    public func run(_ batch: [SQL]) throws(PostgresError) -> [Rows] { try database.transaction(as: identity, batch) }
}
