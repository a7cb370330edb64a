import HTTPFetch
import Links
import Synchronization

/// How a site is spared: so many fetches of one host at once, and a pause from the beginning of one to that of the next.
///
/// Goes for what the server does in the background. What somebody waits for is fetched at once, as their browser would, and counts.
/// Only of hosts that links are saved under; where their chains lead is not known before.
final class HostRateLimiter: Sendable {
    typealias Instant = ContinuousClock.Instant

    enum Turn: Equatable {
        /// To be ended with ``HostRateLimiter/end(_:retryAfter:now:)``.
        case now
        case later(Duration)
    }

    private struct Host {
        var running = 0
        /// Not before this.
        var next: Instant
        /// Nor, for what the server looks at again by itself, before this: as far apart as the site wants.
        var nextRevisit: Instant
        var revisitPause: Duration = .zero
        /// The last times that were promised to those who have to come again, by user: not kept free for them, but promised to no
        /// other job of the same user. Users are no queue of each other's.
        var promised: [String: Instant] = [:]

        func isOver(_ now: Instant) -> Bool { running == 0 && next <= now && nextRevisit <= now && promised.values.allSatisfy { $0 <= now } }
    }

    private let parallel: Int
    private let pause: Duration
    private let hosts = Mutex<[String: Host]>([:])
    /// There are turns at all.
    private var isOn: Bool { parallel < .max }

    init(parallel: Int, pause: Duration) {
        (self.parallel, self.pause) = (parallel, pause)
    }

    /// No turns: everything at once.
    static var unlimited: HostRateLimiter { HostRateLimiter(parallel: .max, pause: .zero) }

    /// The host that a saved URL asks first; nil where it asks none.
    static func host(of url: String) -> String? { firstAsked(for: url)?.host?.lowercased() }

    /// What is asked first for a saved URL.
    static func firstAsked(for url: String) -> SplitURL? {
        AbsoluteURL.resolve(LinkWrappers.standard.target(of: url) ?? url).map { SplitURL($0) }
    }

    /// - Parameters:
    ///   - user: whose link it is.
    ///   - isAwaited: somebody waits for it.
    ///   - isRecheck: the server looks at the page again by itself.
    func begin(_ name: String, of user: String = "", isAwaited: Bool, isRecheck: Bool = false, now: Instant = .now) -> Turn {
        hosts.withLock { hosts in
            var host = hosts[name] ?? Host(next: now, nextRevisit: now)
            defer { hosts[name] = host }
            let due = isRecheck ? max(host.next, host.nextRevisit) : host.next
            if isAwaited || host.running < parallel && due <= now {
                host.running += 1
                host.next = max(host.next, now) + pause
                if isRecheck { host.nextRevisit = now + host.revisitPause }
                return .now
            }
            // What nobody waits for is no queue of what its user saves.
            let user = isRecheck ? user + " again" : user
            let promise = max(host.promised[user] ?? now, due, now) + max(pause, isRecheck ? host.revisitPause : .zero, Self.shortestWait)
            // Who came last may find those gone that came before.
            guard promise - now < Self.longestWait else { return .later(Self.longestWait * Double.random(in: 1...1.5)) }
            host.promised[user] = promise
            return .later(promise - now)
        }
    }

    /// The site wants its pages looked at again as far apart as this; said by who has a turn.
    func rest(_ name: String, fromRevisits pause: Duration, now: Instant = .now) {
        hosts.withLock { hosts in
            hosts[name]?.revisitPause = pause
            if let host = hosts[name] { hosts[name]?.nextRevisit = max(host.nextRevisit, now + pause) }
        }
    }

    /// - Parameter retryAfter: for so many seconds the site does not want to be asked.
    func end(_ name: String, retryAfter: Int? = nil, now: Instant = .now) {
        hosts.withLock { hosts in
            guard var host = hosts[name] else { return }
            host.running -= 1
            if let retryAfter, isOn { host.next = max(host.next, now + .seconds(min(retryAfter, Self.longestRest))) }
            // Nobody is owed anything by a host that could be asked now.
            hosts[name] = host.isOver(now) ? nil : host
            if hosts.count > Self.most { hosts = hosts.filter { $0.value.running > 0 || max($0.value.next, $0.value.nextRevisit) > now } }
        }
    }

    /// In seconds; a site may say any number, also one that rents its name to many.
    private static let longestRest = 3_600
    /// Between two looks at a host all of whose places are taken.
    private static let shortestWait: Duration = .milliseconds(100)
    private static let longestWait: Duration = .seconds(600)
    /// Hosts that are remembered for their pauses alone.
    private static let most = 10_000
}
