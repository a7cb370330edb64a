import Glibc
import HTTPFetch
import Synchronization
import Testing
import Threads

@Suite("HTTPFetch / fetcher")
struct FetcherTests {
    /// Results that arrive on the fetcher's thread.
    private final class Results: Sendable {
        private let all = Mutex<[Result<FetchedPage, FetchError>]>([])
        func add(_ result: Result<FetchedPage, FetchError>) { all.withLock { $0.append(result) } }
        var now: [Result<FetchedPage, FetchError>] { all.withLock { $0 } }

        /// Returns the results once there are `count`, or after a minute.
        func wait(for count: Int) -> [Result<FetchedPage, FetchError>] {
            for _ in 0..<12_000 where now.count < count { usleep(5000) }
            return now
        }
    }

    @Test("hundreds of fetches run simultaneously and each gets its own result")
    func many() throws {
        let site = LoopbackSite { request, client in
            request.path.hasPrefix("/start")
                ? client.redirect(to: "/end\(request.path.dropFirst(6))") : client.answer(body: request.path)
        }
        let fetcher = try testFetcher()
        let results = Results()
        for number in 0..<300 {
            fetcher.fetch(site.url("/start\(number)")) { results.add($0) }
        }
        let bodies = try results.wait(for: 300).map { text(try $0.get()) }
        #expect(Set(bodies) == Set((0..<300).map { "/end\($0)" }))
    }

    @Test("transfers over the limit wait and then run")
    func line() throws {
        let running = Mutex((now: 0, peak: 0))
        let site = LoopbackSite { _, client in
            running.withLock { $0 = ($0.now + 1, max($0.peak, $0.now + 1)) }
            pause(20)
            running.withLock { $0.now -= 1 }
            client.answer()
        }
        let fetcher = try testFetcher { $0.concurrentTransfers = 3 }
        let results = Results()
        for _ in 0..<12 { fetcher.fetch(site.url()) { results.add($0) } }
        #expect(results.wait(for: 12).count == 12)
        #expect((1...3).contains(running.withLock { $0.peak }))
    }

    @Test("many threads can wait on one fetcher")
    func threads() async throws {
        let site = LoopbackSite { request, client in client.answer(body: request.path) }
        let fetcher = try testFetcher()
        let results = Results()
        for number in 0..<8 {
            Thread.start {
                for step in 0..<10 {
                    let url = site.url("/\(number)-\(step)")
                    do throws(FetchError) {
                        results.add(.success(try fetcher.fetch(url)))
                    } catch {
                        results.add(.failure(error))
                    }
                }
            }
        }
        let bodies = try results.wait(for: 80).map { text(try $0.get()) }
        #expect(Set(bodies).count == 80)
    }

    @Test("a released fetcher ends its fetches")
    func release() throws {
        let site = LoopbackSite { _, client in
            pause(30_000)
            client.finish()
        }
        let results = Results()
        do {
            let fetcher = try testFetcher { $0.concurrentTransfers = 1 }
            fetcher.fetch(site.url()) { results.add($0) }
            fetcher.fetch(site.url()) { results.add($0) }
        }
        let reasons = results.now.map { result in
            if case .failure(let error) = result { error.reason } else { nil as FetchError.Reason? }
        }
        #expect(reasons == [.connectionFailed, .connectionFailed])
    }

    @Test("the last reference may be released on the fetcher's own thread")
    func releaseInCompletion() throws {
        let site = LoopbackSite { _, client in client.answer() }
        let results = Results()
        let holder = Mutex<Fetcher?>(try testFetcher())
        let fetcher = holder.withLock { $0 }
        fetcher?.fetch(site.url()) { result in
            holder.withLock { $0 = nil }
            results.add(result)
        }
        #expect(results.wait(for: 1).count == 1)
    }

    @Test("an empty proxy means none and allows nothing", arguments: ["", " "])
    func emptyProxy(proxy: String) throws {
        let site = LoopbackSite { _, client in client.answer(body: "inside") }
        let fetcher = try testFetcher {
            $0.rules = AddressRules()
            $0.proxy = proxy
        }
        #expect(failure(fetcher, site.url())?.reason == .blockedAddress)
    }

    @Test("every reason has its stable name")
    func names() {
        #expect(
            FetchError.Reason.allCases.map(\.rawValue) == [
                "blocked_address", "blocked_scheme", "invalid_url", "too_many_redirects", "timeout", "too_large",
                "http_error",
                "connection_failed", "dns_error", "bad_encoding", "bad_response", "not_html",
            ])
    }
}
