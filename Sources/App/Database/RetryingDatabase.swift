import Postgres
import Schema
import Telemetry

/// The database of one worker thread: repeats transactions that are safe to repeat, and logs each outage once.
final class RetryingDatabase {
    private let database: Database
    /// The schema the database must have.
    let schema: SchemaVersion
    private let log: Log
    private var lastOutage: String?

    /// - Parameter conninfo: libpq's keyword string or URI.
    init(_ conninfo: String, schema: SchemaVersion, log: Log) {
        database = Database(conninfo, prepare: schema.check)
        self.schema = schema
        self.log = log
    }

    /// Runs a transaction, and repeats it when a repetition is safe and likely to succeed.
    ///
    /// `Database` repeats what PostgreSQL has rolled back because of a concurrent transaction. After a lost connection
    /// a read is repeated. The outcome of a write is then unknown; the error is passed on, and the client decides
    /// whether to send the request again.
    func transaction(as identity: Identity, _ batch: [SQL], isRead: Bool) throws(PostgresError) -> [Rows] {
        var attempt = 1
        while true {
            do {
                let rows = try database.transaction(as: identity, batch)
                lastOutage = nil
                return rows
            } catch .unavailable(let reason) {
                guard isRead, attempt == 1, lastOutage == nil else {
                    logOutage(reason)
                    throw .unavailable(reason: reason)
                }
            }
            attempt += 1
        }
    }

    /// Throws unless the database answers and has the schema version that this version of Lectern requires.
    ///
    /// Checks twice: the first check may find that an idle connection was closed.
    func checkSchema() throws(PostgresError) {
        do { try database.usingConnection(schema.check) } catch {
            try database.usingConnection(schema.check)
        }
    }

    /// Logs an outage once per thread, not once per request.
    func logOutage(_ reason: String) {
        if lastOutage != reason { log(.databaseUnavailable(reason: reason)) }
        lastOutage = reason
    }
}
