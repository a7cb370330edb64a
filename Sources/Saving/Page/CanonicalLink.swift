import Links

/// The URL of a link as it is stored.
struct CanonicalLink: Sendable, Equatable {
    /// The URL at which the chain of redirects ended, without tracker parameters.
    var resolvedURL: String

    init(_ page: Page) { resolvedURL = removingTrackers(page.url) }
}
