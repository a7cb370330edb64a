import Testing

@testable import Saving

@Suite("Saving / host rate limiter")
struct HostRateLimiterTests {
    private let start = ContinuousClock.now
    private let hosts = HostRateLimiter(parallel: 2, pause: .seconds(1))

    private func begin(
        _ host: String = "a.test", of user: String = "", at seconds: Double, isAwaited: Bool = false
    ) -> HostRateLimiter.Decision {
        hosts.requestFetch(host, of: user, isAwaited: isAwaited, now: start + .seconds(seconds))
    }

    @Test(
        "the fetches of a host begin with a pause between them, and those that come too early each get a time of their own"
    )
    func pauses() {
        #expect(begin(at: 0) == .now)
        #expect((0..<3).map { _ in begin(at: 0.25) } == [1.75, 2.75, 3.75].map { .later(.seconds($0)) })
        #expect(begin("b.test", at: 0.25) == .now)
        #expect(begin(at: 2) == .now)
    }

    @Test("one user's many jobs never delay another's")
    func users() {
        #expect(begin(of: "a", at: 0) == .now)
        for _ in 0..<300 { _ = begin(of: "a", at: 0) }
        #expect(begin(of: "a", at: 0) == .later(.seconds(302)) && begin(of: "b", at: 0) == .later(.seconds(2)))
    }

    @Test("no job is postponed for longer than fifteen minutes, and the longest waits are random")
    func longest() throws {
        #expect(begin(at: 0) == .now)
        let waits = (0..<1_000).compactMap { _ in if case .later(let wait) = begin(at: 0) { wait } else { nil } }
        #expect(waits.count == 1_000 && waits.allSatisfy { $0 <= .seconds(900) } && Set(waits).count > 900)
    }

    @Test("without a pause, a job beyond the maximum of running fetches comes back a moment later")
    func noPause() {
        let hosts = HostRateLimiter(parallel: 1, pause: .zero)
        #expect(hosts.requestFetch("a.test", isAwaited: false, now: start) == .now)
        #expect(hosts.requestFetch("a.test", isAwaited: false, now: start) == .later(.milliseconds(100)))
    }

    @Test("rechecks wait for the crawl delay, and other jobs do not, not even those of the same user")
    func rechecks() {
        func again(at seconds: Double) -> HostRateLimiter.Decision {
            hosts.requestFetch(
                "a.test", of: "a", isAwaited: false, recheckPause: .seconds(30), now: start + .seconds(seconds))
        }
        #expect(again(at: 0) == .now)
        hosts.fetchEnded("a.test", now: start)
        #expect(again(at: 1) == .later(.seconds(59)))
        #expect(again(at: 1) == .later(.seconds(89)))
        #expect(begin(of: "a", at: 1) == .now)
        #expect(hosts.requestFetch("a.test", of: "a", isAwaited: true, now: start + .seconds(2)) == .now)
        hosts.fetchEnded("a.test", now: start + .seconds(2))
        hosts.fetchEnded("a.test", now: start + .seconds(2))
        #expect(again(at: 29) != .now && again(at: 30) == .now && again(at: 31) != .now)
    }

    @Test("without limits a Retry-After concerns only the job that received it")
    func off() {
        let hosts = HostRateLimiter.unlimited
        #expect(hosts.requestFetch("a.test", isAwaited: false, now: start) == .now)
        hosts.fetchEnded("a.test", retryAfter: 60, now: start)
        #expect(hosts.requestFetch("a.test", isAwaited: false, now: start) == .now)
    }

    @Test("no more fetches run at the same time than allowed, however long ago they started")
    func parallel() {
        #expect(begin(at: 0) == .now && begin(at: 1) == .now)
        #expect(begin(at: 60) == .later(.seconds(1)))
        hosts.fetchEnded("a.test", now: start + .seconds(61))
        #expect(begin(at: 61) == .now)
    }

    @Test("an awaited fetch starts at once and counts")
    func awaited() {
        #expect((0..<5).allSatisfy { _ in begin(at: 0, isAwaited: true) == .now })
        for _ in 0..<5 { hosts.fetchEnded("a.test", now: start) }
        #expect(begin(at: 4.5) == .later(.seconds(1.5)))
    }

    @Test("beyond a burst, the pages that a user waits for are fetched like background jobs, one more each second")
    func burst() {
        let hosts = HostRateLimiter(parallel: 2, pause: .seconds(1), burst: 3)
        func begin(_ host: String = "a.test", of user: String = "a", at seconds: Double) -> HostRateLimiter.Decision {
            hosts.requestFetch(host, of: user, isAwaited: true, now: start + .seconds(seconds))
        }
        #expect((0..<3).allSatisfy { _ in begin(at: 0) == .now })
        #expect(begin(at: 0) == .later(.seconds(4)))
        // Each user and each host has a burst.
        #expect(begin(of: "b", at: 0) == .now && begin("b.test", at: 0) == .now)
        #expect(begin(at: 1) == .now && begin(at: 1) != .now)
        for _ in 0..<5 { hosts.fetchEnded("a.test", now: start + .seconds(2)) }
        #expect((0..<3).allSatisfy { _ in begin(at: 60) == .now } && begin(at: 60) != .now)
    }

    @Test("background jobs respect a Retry-After")
    func retryAfter() {
        #expect(begin(at: 0) == .now)
        hosts.fetchEnded("a.test", retryAfter: 120, now: start + .seconds(1))
        #expect(begin(at: 2) == .later(.seconds(120)))
        #expect(begin(at: 122) == .now)
    }

    @Test("a host without fetches and pauses is forgotten")
    func forgotten() {
        #expect(begin(at: 0) == .now)
        hosts.fetchEnded("a.test", now: start + .seconds(30))
        #expect(begin(at: 30) == .now && begin(at: 31) == .now)
    }

    @Test(
        "the host of a link is the one that is asked first",
        arguments: [
            ("HTTP://User:word@Example.ORG:81/x", "example.org"), ("http://[::1]/", "::1"), ("mailto:a@b.test", nil),
            ("", nil),
            ("https://www.google.com/url?q=https%3A%2F%2Fexample.org%2Fx", "example.org"),
        ])
    func host(url: String, host: String?) { #expect(HostRateLimiter.host(of: url) == host) }

    @Test("without limits every fetch starts at once")
    func unlimited() {
        #expect(
            (0..<100).allSatisfy { _ in HostRateLimiter.unlimited.requestFetch("a.test", isAwaited: false) == .now })
    }
}
