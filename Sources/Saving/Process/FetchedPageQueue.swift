import Synchronization
import Threads

/// Fetched pages that wait for a thread that reads them.
///
/// At most one page of a user is read at a time, so that a user's slow pages leave the other threads to other users.
final class FetchedPageQueue<Item: Sendable>: Sendable {
    struct Entry: Sendable {
        var userID: String
        var item: Item
    }

    private struct State {
        var waiting: [Entry] = []
        /// Users who have a page being read.
        var users: Set<String> = []
        var isStopped = false

        var nextIndex: Int? { waiting.firstIndex { !users.contains($0.userID) } }
    }

    private let state = Mutex(State())
    private let wakeUp = WakeUp()

    func append(_ item: Item, of userID: String) {
        state.withLock { $0.waiting.append(Entry(userID: userID, item: item)) }
        wakeUp.all()
    }

    /// Takes the oldest page whose user has no page being read, and waits until there is one. Call `end` after reading
    /// the page.
    ///
    /// - Returns: nil after `stop`.
    func take() -> Entry? {
        while true {
            let (entry, isStopped) = state.withLock { state -> (Entry?, Bool) in
                guard !state.isStopped, let index = state.nextIndex else { return (nil, state.isStopped) }
                let entry = state.waiting.remove(at: index)
                state.users.insert(entry.userID)
                return (entry, false)
            }
            if entry != nil || isStopped { return entry }
            wakeUp.wait(milliseconds: 60_000) { state.withLock { $0.isStopped || $0.nextIndex != nil } }
        }
    }

    func end(_ entry: Entry) {
        state.withLock { _ = $0.users.remove(entry.userID) }
        wakeUp.all()
    }

    /// Makes `take` return nil.
    func stop() {
        state.withLock { $0.isStopped = true }
        wakeUp.all()
    }
}
