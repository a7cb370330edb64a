import HTTPFetch
import Links
import Synchronization
import Threads

/// One fetch of a URL at a time: who wants it meanwhile waits for the one that is under way, and gets what it gets.
///
/// Nothing is kept beyond that, so that nobody learns from how long it takes what others have saved before. URLs that look as if
/// they were one reader's alone are fetched for each, and so is what is asked for only if it has changed: a copy is one link's.
final class SharedFetches: Sendable {
    typealias Fetch = (FetchRequest) -> Result<FetchedPage, FetchError>

    private struct Flight {
        var waiting = 0
        var result: Result<FetchedPage, FetchError>?
    }

    private let flights = Mutex<[String: Flight]>([:])
    private let wakeUp = WakeUp()

    func callAsFunction(_ request: FetchRequest, by fetch: Fetch) -> Result<FetchedPage, FetchError> {
        let url = request.url
        guard request == FetchRequest(url), !CapabilityURL.isLikely(url) else { return fetch(request) }
        return joins(url) ? wait(for: url) : fly(url, by: fetch)
    }

    /// How many wait for others' fetches.
    var waiting: Int { flights.withLock { $0.values.reduce(0) { $0 + $1.waiting } } }

    /// Whether somebody fetches it already.
    private func joins(_ url: String) -> Bool {
        flights.withLock { flights in
            // One that has landed is not new any more: its result is for those who waited.
            guard let flight = flights[url], flight.result == nil else {
                flights[url] = flights[url] ?? Flight()
                return false
            }
            flights[url]?.waiting += 1
            return true
        }
    }

    private func fly(_ url: String, by fetch: Fetch) -> Result<FetchedPage, FetchError> {
        let result = fetch(FetchRequest(url))
        flights.withLock { flights in
            if flights[url]?.waiting ?? 0 > 0 { flights[url]?.result = result } else { flights[url] = nil }
        }
        wakeUp.all()
        return result
    }

    private func wait(for url: String) -> Result<FetchedPage, FetchError> {
        while true {
            wakeUp.wait(milliseconds: 1_000) { [self] in flights.withLock { $0[url]?.result != nil } }
            let result = flights.withLock { flights -> Result<FetchedPage, FetchError>? in
                guard let result = flights[url]?.result else { return nil }
                flights[url]?.waiting -= 1
                if flights[url]?.waiting == 0 { flights[url] = nil }
                return result
            }
            if let result { return result }
        }
    }
}
