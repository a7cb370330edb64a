import Synchronization
import Testing

@testable import HTTPFetch
@testable import Saving

@Suite("Saving / crawl delay")
struct CrawlDelayCacheTests {
    private static func delay(_ file: String) -> Duration? {
        RobotsFile.crawlDelay(of: Array(file.utf8), for: "Lectern")
    }

    @Test(
        "the delay is that of the group that names us, else that of everybody's",
        arguments: [
            ("User-agent: *\nCrawl-delay: 10\n", 10),
            ("\u{FEFF}user-AGENT : *  # all\r\n\r\nCRAWL-delay:2.5 # slow\r\n", 2.5),
            ("User-agent: *\nCrawl-delay: 10\nUser-agent: lectern\nDisallow: /x\nCrawl-delay: 3\n", 3),
            ("User-agent: Lectern\nCrawl-delay: 3\n\nUser-agent: *\nCrawl-delay: 10\n", 3),
            ("User-agent: one\nUser-agent: Lectern\nUser-agent: two\nCrawl-delay: 4", 4),
            ("User-agent: *\nCrawl-delay: 10\nCrawl-delay: 20\n", 10),
            ("User-agent: *\rCrawl-delay: 0", 0),
        ])
    func found(file: String, seconds: Double) { #expect(Self.delay(file) == .seconds(seconds)) }

    @Test(
        "where neither asks for one there is none",
        arguments: [
            "", "Crawl-delay: 10", "User-agent: other\nCrawl-delay: 10",
            "User-agent: *\nDisallow: /\nUser-agent: other\nCrawl-delay: 10",
            "User-agent: *\nCrawl-delay: soon", "User-agent: *\nCrawl-delay: -1", "User-agent: *\nCrawl-delay: nan",
            "User-agent: *\nCrawl-delay:",
            "<!doctype html><title>User-agent: *</title><p>Crawl-delay: 10", "User-agent: Lecternist\nCrawl-delay: 10",
        ])
    func none(file: String) { #expect(Self.delay(file) == nil) }

    @Test(
        "no site makes us wait longer than five minutes",
        arguments: ["301", "86400", "1e300", "99999999999999999999999"])
    func longest(value: String) { #expect(Self.delay("User-agent: *\nCrawl-delay: \(value)") == .seconds(300)) }

    @Test("binary and endless files are read as far as they contain rules")
    func hostile() {
        let noise = Array("User-agent: *\nCrawl-delay: 7\n".utf8) + [UInt8](repeating: 0xFF, count: 2_000_000)
        #expect(RobotsFile.crawlDelay(of: noise, for: "Lectern") == .seconds(7))
        #expect(RobotsFile.crawlDelay(of: [UInt8](repeating: 0x0A, count: 600_000) + noise, for: "Lectern") == nil)
    }

    // MARK: - Asking

    private final class Site: Sendable {
        let asked = Mutex<[String]>([])
        let answer: Result<FetchedPage, FetchError>

        init(_ answer: Result<FetchedPage, FetchError>) { self.answer = answer }

        func delays(_ userAgent: String = "Lectern/1.0 (+http://x.test)") -> CrawlDelayCache {
            CrawlDelayCache(userAgent: userAgent) { request in
                self.asked.withLock { $0.append(request.url) }
                return self.answer
            }
        }
    }

    private static func file(_ text: String) -> Result<FetchedPage, FetchError> {
        .success(
            FetchedPage(
                requestedURL: "", finalURL: "", status: 200, contentType: "text/plain", charsetLabel: nil, kind: .text,
                body: Array(text.utf8),
                hops: 0, seconds: 0))
    }

    @Test("a site's robots.txt is fetched once a day, whatever the page")
    func once() {
        let site = Site(Self.file("User-agent: *\nCrawl-delay: 9"))
        let (delays, now) = (site.delays(), ContinuousClock.now)
        #expect(delays.delay(for: "https://Site.test:8443/a/b?c#d", now: now) == .seconds(9))
        #expect(delays.delay(for: "https://site.test:8443/", now: now + .seconds(86_000)) == .seconds(9))
        #expect(site.asked.withLock { $0 } == ["https://site.test:8443/robots.txt"])
        #expect(delays.delay(for: "http://site.test/", now: now) == .seconds(9))
        #expect(delays.delay(for: "https://site.test:8443/", now: now + .seconds(86_401)) == .seconds(9))
        #expect(site.asked.withLock { $0.count } == 3)
    }

    @Test("an unreachable site is asked again after an hour, and one without a robots.txt after a day")
    func failures() {
        let now = ContinuousClock.now
        for (error, count) in [(FetchError(.timeout, ""), 2), (FetchError(.httpError, "", status: 404), 1)] {
            let site = Site(.failure(error))
            let delays = site.delays()
            #expect(
                delays.delay(for: "http://x.test/", now: now) == .zero
                    && delays.delay(for: "http://x.test/", now: now + .seconds(3_601)) == .zero)
            #expect(site.asked.withLock { $0.count } == count)
        }
    }

    @Test("other URLs cause no request, and neither do disabled crawl delays")
    func nobody() {
        let site = Site(Self.file("User-agent: *\nCrawl-delay: 9"))
        #expect(
            ["", "x", "file:///etc/passwd", "mailto:a@b.test"].allSatisfy { site.delays().delay(for: $0) == .zero })
        #expect(CrawlDelayCache.none.delay(for: "http://x.test/") == .zero)
        #expect(site.asked.withLock { $0 }.isEmpty)
    }
}
