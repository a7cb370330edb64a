import Settings

/// The limits of one user; 0: no limit.
struct Quotas: Sendable {
    /// Bytes of stored articles and pages.
    var storage = 0
    /// Pages fetched within 24 hours.
    var fetches = 0

    var areSet: Bool { storage > 0 || fetches > 0 }

    /// An exceeded quota, because of which a page is not fetched now.
    enum Excess: Sendable, Equatable {
        /// The user must delete something first.
        case storage(SaveError.Failure)
        /// Fetching may go on after `wait`.
        case fetches(SaveError.Failure, wait: Duration)

        var isOfFetches: Bool { if case .fetches = self { true } else { false } }
    }
}

extension Quotas {
    /// The settings that concern quotas.
    init(_ settings: Settings) {
        storage = settings.number("STORAGE_QUOTA")
        fetches = settings.text("RATE_LIMITS") == "on" ? settings.number("FETCH_QUOTA") : 0
    }
}
