import HTTPFetch
import Synchronization

/// What sites want robots to wait, asked for once and remembered for a day.
final class CrawlDelays: Sendable {
    typealias Instant = ContinuousClock.Instant

    private struct Known {
        var delay: Duration
        var until: Instant
    }

    private let product: String
    private let ask: @Sendable (FetchRequest) -> Result<FetchedPage, FetchError>
    private let known = Mutex<[String: Known]>([:])

    /// - Parameters:
    ///   - userAgent: how we introduce ourselves; its first word is the name that robots.txt would call us by.
    ///   - ask: fetches the file.
    init(userAgent: String, ask: @escaping @Sendable (FetchRequest) -> Result<FetchedPage, FetchError>) {
        product = String(userAgent.prefix { $0.isLetter || $0 == "-" || $0 == "_" })
        self.ask = ask
    }

    /// Nobody is asked.
    static var none: CrawlDelays { CrawlDelays(userAgent: "") { _ in .failure(.stopped) } }

    /// - Parameter url: to be fetched in the background.
    /// - Returns: zero where the site does not say, or cannot be asked.
    func of(_ url: String, now: Instant = .now) -> Duration {
        guard !product.isEmpty, let origin = Self.origin(of: url) else { return .zero }
        if let known = known.withLock({ $0[origin] }), known.until > now { return known.delay }
        let answer = ask(FetchRequest(origin + "/robots.txt"))
        let delay = (try? answer.get()).flatMap { CrawlDelay.of(robotsFile: $0.body, for: product) } ?? .zero
        known.withLock { known in
            if known.count >= Self.most { known = known.filter { $0.value.until > now } }
            if known.count >= Self.most { known = [:] }
            known[origin] = Known(delay: delay, until: now + Self.remembered(answer))
        }
        return delay
    }

    /// A site that cannot be reached now is asked again sooner.
    private static func remembered(_ answer: Result<FetchedPage, FetchError>) -> Duration {
        if case .failure(let error) = answer, error.retryable { .seconds(3_600) } else { .seconds(24 * 3_600) }
    }

    private static func origin(of url: String) -> String? {
        guard let asked = HostRateLimiter.firstAsked(for: url), asked.isWeb, let scheme = asked.scheme, let authority = asked.authority else { return nil }
        // Without user information: the file is the same for all.
        return "\(scheme)://\(authority.split(separator: "@").last ?? "")".lowercased()
    }

    /// Sites that are remembered.
    private static let most = 10_000
}
