import HTTPFetch
import Synchronization

/// The crawl delays of sites. Each robots.txt is fetched once and remembered for a day.
final class CrawlDelayCache: Sendable {
    typealias Instant = ContinuousClock.Instant

    private struct Entry {
        var delay: Duration
        var until: Instant
    }

    private let product: String
    private let fetch: @Sendable (FetchRequest) -> Result<FetchedPage, FetchError>
    private let entries = Mutex<[String: Entry]>([:])

    /// - Parameters:
    ///   - userAgent: the User-Agent header; its first word is the product name that a robots.txt addresses.
    ///   - fetch: fetches a robots.txt.
    init(userAgent: String, fetch: @escaping @Sendable (FetchRequest) -> Result<FetchedPage, FetchError>) {
        product = String(userAgent.prefix { $0.isLetter || $0 == "-" || $0 == "_" })
        self.fetch = fetch
    }

    /// No delays, and no requests for them.
    static var none: CrawlDelayCache { CrawlDelayCache(userAgent: "") { _ in .failure(.stopped) } }

    /// The crawl delay for rechecks of a URL.
    ///
    /// - Returns: zero where the site names none, or its robots.txt cannot be fetched.
    func delay(for url: String, now: Instant = .now) -> Duration {
        guard !product.isEmpty, let origin = Self.origin(of: url) else { return .zero }
        if let entry = entries.withLock({ $0[origin] }), entry.until > now { return entry.delay }
        let result = fetch(FetchRequest(origin + "/robots.txt"))
        let delay = (try? result.get()).flatMap { RobotsFile.crawlDelay(of: $0.body, for: product) } ?? .zero
        entries.withLock { entries in
            if entries.count >= Self.maxSites { entries = entries.filter { $0.value.until > now } }
            if entries.count >= Self.maxSites { entries = [:] }
            entries[origin] = Entry(delay: delay, until: now + Self.lifetime(result))
        }
        return delay
    }

    /// How long a result is remembered. A site that cannot be reached is asked again sooner.
    private static func lifetime(_ result: Result<FetchedPage, FetchError>) -> Duration {
        if case .failure(let error) = result, error.retryable { .seconds(3_600) } else { .seconds(24 * 3_600) }
    }

    private static func origin(of url: String) -> String? {
        guard let request = HostRateLimiter.firstRequest(for: url), request.isWeb, let scheme = request.scheme,
            let authority = request.authority
        else { return nil }
        // Without user information: the robots.txt is the same for all users.
        return "\(scheme)://\(authority.split(separator: "@").last ?? "")".lowercased()
    }

    /// The number of sites that are remembered.
    private static let maxSites = 10_000
}
