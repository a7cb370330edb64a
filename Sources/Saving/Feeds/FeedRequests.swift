import HTTPFetch
import Synchronization

/// The requests for feeds that are under way, and the results that wait to be stored.
final class FeedRequests: Sendable {
    typealias Arrived = (feed: DueFeed, result: Result<FetchedPage, FetchError>)

    private struct State {
        /// Of each user, arrived ones included.
        var running: [String: Int] = [:]
        /// The addresses of all these feeds.
        var addresses: Set<String> = []
        var arrived: [Arrived] = []
    }

    private let state = Mutex(State())

    var count: Int { state.withLock { $0.running.values.reduce(0, +) } }

    func users(withAtLeast limit: Int) -> [String] {
        state.withLock { state in state.running.filter { $0.value >= limit }.map(\.key) }
    }

    var addresses: [String] { state.withLock { Array($0.addresses) } }

    func begin(_ feed: DueFeed) {
        state.withLock { state in
            state.running[feed.userID, default: 0] += 1
            state.addresses.insert(feed.url)
        }
    }

    func end(_ feed: DueFeed, _ result: Result<FetchedPage, FetchError>) {
        state.withLock { $0.arrived.append((feed, result)) }
    }

    func takeArrived() -> [Arrived] {
        state.withLock { state in
            for (feed, _) in state.arrived {
                let left = (state.running[feed.userID] ?? 1) - 1
                state.running[feed.userID] = left > 0 ? left : nil
                state.addresses.remove(feed.url)
            }
            defer { state.arrived = [] }
            return state.arrived
        }
    }
}
