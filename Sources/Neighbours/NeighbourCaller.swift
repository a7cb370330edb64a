import Postgres

/// The caller of a request, and the transactions that run as the caller. Row-level security restricts them to the rows of
/// this user.
public struct NeighbourCaller {
    /// A transaction of several statements, with more settings for the functions of the database.
    public typealias Run = ([SQL], [Identity.Setting]) throws(PostgresError) -> [Rows]

    /// Whether the caller may only add links, and learns only their ids and states.
    let onlyAdds: Bool
    /// Whether the caller may change nothing.
    let onlyReads: Bool
    private let reading: Run
    private let writing: Run

    /// The transactions have the setting `request.public_url`.
    ///
    /// - Parameters:
    ///   - read: runs statements that only read.
    ///   - write: runs statements under the lock of a write of several rows.
    public init(onlyAdds: Bool, onlyReads: Bool, read: @escaping Run, write: @escaping Run) {
        self.onlyAdds = onlyAdds
        self.onlyReads = onlyReads
        reading = read
        writing = write
    }

    func read(_ batch: [SQL], _ settings: [Identity.Setting] = []) throws(PostgresError) -> [Rows] {
        try reading(batch, settings)
    }

    func write(_ batch: [SQL]) throws(PostgresError) -> [Rows] { try writing(batch, []) }

    /// Runs a save again, at most five times, while concurrent requests save the same page: the next attempt finds it.
    func save(_ batch: [SQL]) throws(PostgresError) -> [Rows] {
        var attempt = 1
        while true {
            do { return try write(batch) } catch {
                guard attempt < 5, case .refused(let refusal) = error, refusal.sqlState == "23505",
                    Self.keys.contains(refusal.constraint ?? "")
                else { throw error }
                attempt += 1
            }
        }
    }

    private static let keys: Set<String> = ["links_user_id_dedupe_key", "links_user_id_raw_url_key"]
}
