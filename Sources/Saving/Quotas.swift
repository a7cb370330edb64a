import Settings

/// What one user may have of the jobs; 0: as much as they like.
struct Quotas: Sendable {
    /// Bytes of articles and pages that are kept.
    var storage = 0
    /// Pages fetched within 24 hours.
    var fetches = 0

    var areSet: Bool { storage > 0 || fetches > 0 }

    /// Why a link is not fetched now.
    enum InTheWay: Equatable {
        /// Until its user makes room.
        case full(SaveError.Failure)
        /// Until time has passed.
        case fetchedEnough(SaveError.Failure, wait: Duration)
    }
}

extension Quotas {
    /// The settings that concern quotas.
    init(_ settings: Settings) {
        storage = settings.number("STORAGE_QUOTA")
        fetches = settings.text("RATE_LIMITS") == "on" ? settings.number("FETCH_QUOTA") : 0
    }
}
