import Postgres
import Settings

/// Queues the mails with digests that users get every week or month; see sql/schema/digest_mails.sql.
struct DigestScheduler: Sendable, Equatable {
    /// The address of this service, for the sentence that says where the mails are turned off.
    var publicURL: String

    /// The number of users for whom one transaction makes a digest.
    private static let batch = 20

    init(_ settings: Settings) { publicURL = settings.text("PUBLIC_URL") }

    /// One round, run every hour.
    var round: RepeatedTask.Round {
        { (connection, hasToStop) throws(PostgresError) in
            var users = 1
            while users > 0, !hasToStop() {
                let rows = try connection.query(
                    "select private.queue_digests(\(publicURL), \(Self.batch)::int)")
                users = rows.int(0, 0) ?? 0
            }
        }
    }
}
