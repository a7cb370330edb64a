import Synchronization
import Threads

/// A result that one thread waits for and another provides.
final class PendingResult: Sendable {
    private let result = Mutex<Result<FetchedPage, FetchError>?>(nil)
    private let arrived = CountingSemaphore(0)

    func complete(_ result: Result<FetchedPage, FetchError>) {
        self.result.withLock { $0 = result }
        arrived.release()
    }

    func wait() -> Result<FetchedPage, FetchError> {
        while true {
            arrived.acquire()
            if let result = result.withLock({ $0 }) { return result }
        }
    }
}
