import HTTPFetch
import Links
import Synchronization
import Threads

/// Joins simultaneous fetches of one URL: a thread that wants a URL which is being fetched waits for that fetch and
/// shares its result.
///
/// Results are not cached, so that response times do not reveal what other users have saved. Capability URLs, which may
/// belong to a single user, are fetched separately, and so are conditional requests, whose copy belongs to one link.
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
        return joins(url) ? wait(for: url) : run(url, by: fetch)
    }

    /// The number of threads that wait for another thread's fetch.
    var waiting: Int { flights.withLock { $0.values.reduce(0) { $0 + $1.waiting } } }

    /// Joins a running fetch of the URL, or registers a new one.
    ///
    /// - Returns: whether another thread fetches the URL already.
    private func joins(_ url: String) -> Bool {
        flights.withLock { flights in
            // The result of a fetch that has ended is only for the threads that waited for it.
            guard let flight = flights[url], flight.result == nil else {
                flights[url] = flights[url] ?? Flight()
                return false
            }
            flights[url]?.waiting += 1
            return true
        }
    }

    private func run(_ url: String, by fetch: Fetch) -> Result<FetchedPage, FetchError> {
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
