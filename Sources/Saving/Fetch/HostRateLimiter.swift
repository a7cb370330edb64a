import HTTPFetch
import Links
import Synchronization

/// Limits the fetches from one host: how many run at the same time, and the pause between the starts of two of them.
///
/// A page that somebody waits for is fetched at once, as a browser would, and counts. That holds for a burst of pages of
/// one host and user; further ones wait like background jobs, since a script can save links one by one. Only the hosts
/// of saved URLs are limited; the hosts of redirects are not known in advance.
final class HostRateLimiter: Sendable {
    typealias Instant = ContinuousClock.Instant

    enum Decision: Equatable {
        /// The fetch may start. Its end must be reported with ``HostRateLimiter/fetchEnded(_:retryAfter:now:)``.
        case now
        case later(Duration)
    }

    private struct Host {
        var running = 0
        /// The earliest start of the next fetch.
        var next: Instant
        /// The earliest start of the next recheck, as far from the last as the site's crawl delay.
        var nextRecheck: Instant
        /// The latest time that a postponed job of each user was given. It is not reserved, but the next job of that
        /// user gets a later one. One user's postponed jobs never delay another's.
        var nextTry: [String: Instant] = [:]
        /// For each user the time at which the burst of pages that the user waits for is full again.
        var burstEnds: [String: Instant] = [:]

        /// Whether the host can be forgotten: a fetch could start now.
        func isIdle(_ now: Instant) -> Bool {
            running == 0 && next <= now && nextRecheck <= now && nextTry.values.allSatisfy { $0 <= now }
                && burstEnds.values.allSatisfy { $0 <= now }
        }

        /// Takes a page of the user's burst.
        ///
        /// - Returns: false when the burst is used up.
        mutating func takeFromBurst(_ burst: Int, of user: String, _ now: Instant) -> Bool {
            let end = max(burstEnds[user] ?? now, now) + HostRateLimiter.burstPause
            guard end - now <= HostRateLimiter.burstPause * burst else { return false }
            burstEnds[user] = end
            return true
        }
    }

    private let parallel: Int
    private let pause: Duration
    private let burst: Int
    private let hosts = Mutex<[String: Host]>([:])
    /// Whether there is a limit.
    private var isLimited: Bool { parallel < .max }

    /// - Parameter burst: the number of pages of one host that a user who waits for them gets at once.
    init(parallel: Int, pause: Duration, burst: Int = 20) {
        (self.parallel, self.pause, self.burst) = (parallel, pause, burst)
    }

    /// No limits.
    static var unlimited: HostRateLimiter { HostRateLimiter(parallel: .max, pause: .zero) }

    /// The host of the first request for a saved URL; nil where there is no request.
    static func host(of url: String) -> String? { firstRequest(for: url)?.host?.lowercased() }

    /// The URL of the first request for a saved URL.
    static func firstRequest(for url: String) -> SplitURL? {
        AbsoluteURL.resolve(LinkWrappers.standard.target(of: url) ?? url).map { SplitURL($0) }
    }

    /// Starts a fetch, or tells when to ask again.
    ///
    /// - Parameters:
    ///   - user: the owner of the link.
    ///   - isAwaited: whether somebody waits for the page.
    ///   - recheckPause: the pause between two rechecks of the host's pages, which nobody has asked for; nil: this is
    ///     no recheck.
    func requestFetch(
        _ name: String, of user: String = "", isAwaited: Bool, recheckPause: Duration? = nil, now: Instant = .now
    ) -> Decision {
        hosts.withLock { hosts in
            var host = hosts[name] ?? Host(next: now, nextRecheck: now)
            defer { hosts[name] = host }
            let isRecheck = recheckPause != nil
            let due = isRecheck ? max(host.next, host.nextRecheck) : host.next
            let isAtOnce = isAwaited && host.takeFromBurst(burst, of: user, now)
            if isAtOnce || host.running < parallel && due <= now {
                host.running += 1
                host.next = max(host.next, now) + pause
                if let recheckPause { host.nextRecheck = now + recheckPause }
                return .now
            }
            // A user's rechecks never delay the same user's saves.
            let user = isRecheck ? user + " again" : user
            let wait = max(pause, recheckPause ?? .zero, Self.minWait)
            let nextTry = max(host.nextTry[user] ?? now, due, now) + wait
            // By then, many of the jobs before this one may have ended.
            guard nextTry - now < Self.maxWait else {
                return .later(Self.maxWait * Double.random(in: 1...1.5))
            }
            host.nextTry[user] = nextTry
            return .later(nextTry - now)
        }
    }

    /// Ends a fetch.
    ///
    /// - Parameter retryAfter: the seconds during which the site asked not to be requested.
    func fetchEnded(_ name: String, retryAfter: Int? = nil, now: Instant = .now) {
        hosts.withLock { hosts in
            guard var host = hosts[name] else { return }
            host.running -= 1
            if let retryAfter, isLimited {
                host.next = max(host.next, now + .seconds(min(retryAfter, Self.maxRetryAfter)))
            }
            hosts[name] = host.isIdle(now) ? nil : host
            if hosts.count > Self.maxHosts {
                hosts = hosts.filter { $0.value.running > 0 || max($0.value.next, $0.value.nextRecheck) > now }
            }
        }
    }

    /// The time after which a user's burst grows by a page.
    private static let burstPause: Duration = .seconds(1)
    /// The longest Retry-After that is respected, in seconds. A site may send any number, and so may one tenant of a
    /// shared host name.
    private static let maxRetryAfter = 3_600
    /// The wait for a host with the maximum of running fetches.
    private static let minWait: Duration = .milliseconds(100)
    private static let maxWait: Duration = .seconds(600)
    /// The number of hosts that are remembered although no fetch runs.
    private static let maxHosts = 10_000
}
