import HTTPFetch
import Synchronization
import Testing
import Threads

@testable import HTTPFetch
@testable import Saving

@Suite("Saving / shared fetches")
struct SharedFetchesTests {
    private let shared = SharedFetches()

    private static func page(_ url: String) -> FetchedPage {
        FetchedPage(
            requestedURL: url, finalURL: url, status: 200, contentType: "text/html", charsetLabel: nil, kind: .html,
            body: Array(url.utf8), hops: 0,
            seconds: 0)
    }

    /// Requests a URL on many threads; the first fetch ends when that many others wait for it.
    private func ask(
        _ count: Int, for url: String, until waiting: Int, answer: Result<FetchedPage, FetchError>
    ) -> (fetches: Int, results: [Result<FetchedPage, FetchError>]) {
        let (fetches, results) = (Counter(), Results())
        for _ in 0..<count {
            Thread.start { [shared] in
                let result = shared(FetchRequest(url)) { _ in
                    fetches.add()
                    while shared.waiting < waiting { pause() }
                    return answer
                }
                results.add(result)
            }
        }
        while results.all.count < count { pause() }
        return (fetches.value, results.all)
    }

    @Test("a thread that wants a URL which is being fetched shares the result")
    func together() {
        let page = Self.page("https://site.test/a")
        let (fetches, results) = ask(8, for: page.finalURL, until: 7, answer: .success(page))
        #expect(fetches == 1 && results.allSatisfy { $0 == .success(page) })
        #expect(shared.waiting == 0)
    }

    @Test("a failure is shared as well")
    func failure() {
        let error = FetchError(.timeout, "The site did not answer in time.")
        let (fetches, results) = ask(3, for: "https://site.test/a", until: 2, answer: .failure(error))
        #expect(fetches == 1 && results.allSatisfy { $0 == .failure(error) })
    }

    @Test("results are not cached")
    func fresh() {
        for _ in 0..<3 {
            #expect(ask(1, for: "https://site.test/a", until: 0, answer: .success(Self.page("x"))).fetches == 1)
        }
    }

    @Test("other URLs and capability URLs are fetched separately")
    func alone() {
        #expect(ask(4, for: "https://site.test/?token=1", until: 0, answer: .success(Self.page("x"))).fetches == 4)
        let inside = shared(FetchRequest("https://site.test/a")) { [shared] _ in
            shared(FetchRequest("http://site.test/a")) { .success(Self.page($0.url)) }
        }
        #expect(inside == .success(Self.page("http://site.test/a")))
    }

    @Test("conditional requests and requests without a body are fetched separately")
    func special() {
        let url = "https://site.test/a"
        let requests = [
            FetchRequest(url, copy: Validators(url: url, etag: "\"1\"", lastModified: nil)),
            FetchRequest(url, wantsBody: false),
        ]
        let fetched = shared(FetchRequest(url)) { [shared] _ in
            for request in requests {
                #expect(shared(request) { .success(Self.page("\($0 == request)")) } == .success(Self.page("true")))
            }
            return .success(Self.page(url))
        }
        #expect(fetched == .success(Self.page(url)))
    }

    private final class Counter: Sendable {
        private let count = Mutex(0)
        func add() { count.withLock { $0 += 1 } }
        var value: Int { count.withLock { $0 } }
    }

    private final class Results: Sendable {
        private let list = Mutex<[Result<FetchedPage, FetchError>]>([])
        func add(_ result: Result<FetchedPage, FetchError>) { list.withLock { $0.append(result) } }
        var all: [Result<FetchedPage, FetchError>] { list.withLock { $0 } }
    }
}

private func pause() { WakeUp().wait(milliseconds: 2) { false } }
