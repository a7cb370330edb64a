import REST
import Synchronization

/// Remembers which users were within the quota of links a moment ago. PostgreSQL then need not check it again for a save
/// of one link, which would take longer by a tenth.
///
/// A save that is refused is not remembered, so a user beyond the quota saves nothing more.
final class LinkQuotaChecks: Sendable {
    typealias Instant = ContinuousClock.Instant

    private let passed = Mutex<[String: Instant]>([:])
    /// How long a check holds: a second for a large quota. Even the fastest client adds few links in this time.
    private let period: Duration

    /// The number of users that are remembered.
    private static let capacity = 10_000

    /// - Parameter quota: links per user; 0: no limit.
    init(quota: Int) { period = min(.seconds(1), .microseconds(10) * quota) }

    /// Whether the user's quota need not be checked for a plan.
    func covers(_ plan: Plan, of user: String?, now: Instant = .now) -> Bool {
        guard let user, plan.savesOneLink else { return false }
        return passed.withLock { passed in passed[user].map { now < $0 + period } ?? false }
    }

    /// Remembers that a plan has been carried out and its check passed.
    func pass(_ plan: Plan, of user: String?, now: Instant = .now) {
        guard let user, plan.savesOneLink else { return }
        passed.withLock { passed in
            if passed.count >= Self.capacity { passed.removeAll(keepingCapacity: true) }
            passed[user] = now
        }
    }
}

extension Plan {
    fileprivate var savesOneLink: Bool {
        guard case .insert = action, reading.table.name == "links" else { return false }
        return writesOneRow
    }
}
