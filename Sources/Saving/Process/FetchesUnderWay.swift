import HTTPFetch
import Synchronization
import Threads

/// The requests that are under way, and the results that wait to be stored.
final class FetchesUnderWay<Subject: FetchSubject>: Sendable {
    typealias Arrived = (subject: Subject, result: Result<FetchedPage, FetchError>)

    private struct State {
        /// By id, arrived ones included.
        var running: [String: Subject] = [:]
        var arrived: [Arrived] = []
    }

    private let state = Mutex(State())
    private let wakeUp = WakeUp()

    /// The subjects of all requests whose results were not taken yet.
    var subjects: [Subject] { state.withLock { Array($0.running.values) } }

    func begin(_ subject: Subject) {
        state.withLock { $0.running[subject.id] = subject }
    }

    func end(_ subject: Subject, _ result: Result<FetchedPage, FetchError>) {
        state.withLock { $0.arrived.append((subject, result)) }
        wakeUp.all()
    }

    /// Waits until a result has arrived or the time has passed. Returns at once if nothing is under way.
    func wait(milliseconds: Int) {
        wakeUp.wait(milliseconds: milliseconds) {
            state.withLock { !$0.arrived.isEmpty || $0.running.isEmpty }
        }
    }

    /// Takes the result that arrived first.
    func takeArrived() -> Arrived? {
        state.withLock { state in
            guard !state.arrived.isEmpty else { return nil }
            let arrived = state.arrived.removeFirst()
            state.running[arrived.subject.id] = nil
            return arrived
        }
    }
}
