import Foundation
import Synchronization

/// Clients that send one request after the other until they are stopped, each on its own thread.
final class Load: Sendable {
    private struct State {
        var isRunning = true
        var clients = 0
        /// The number of finished requests of each client, answered or failed.
        var ended: [Int] = []
        var answered = 0
        var failures: [String] = []
    }

    private let state = Mutex(State())

    /// Starts the clients. `makeClient` runs on each client's thread. The closure it returns sends one request, and
    /// throws when the request was lost.
    init(clients: Int, asking makeClient: @escaping @Sendable (_ number: Int) -> () throws -> Void) {
        state.withLock {
            $0.clients = clients
            $0.ended = Array(repeating: 0, count: clients)
        }
        for number in 0..<clients {
            Thread.detachNewThread {
                self.work(makeClient(number), number)
                self.state.withLock { $0.clients -= 1 }
            }
        }
    }

    /// Starts clients of a pool's own socket. Every second one keeps its connection.
    convenience init(clients: Int, socketPath: String, target: String = "/pid") {
        self.init(clients: clients) { number in
            let keeps = number % 2 == 0
            let request = Records.request(target, keep: keeps)
            var peer: Peer?
            return {
                let connected = try peer ?? Peer(path: socketPath)
                peer = nil
                let answer = try connected.ask(request)
                guard answer.status == 200 else { throw Peer.Broken(reason: "status \(answer.status)") }
                if keeps { peer = connected }
            }
        }
    }

    var answered: Int { state.withLock { $0.answered } }
    var failures: [String] { state.withLock { $0.failures } }

    /// Waits until this many more requests have been answered. Returns false when one was lost.
    func proceed(by requests: Int) -> Bool {
        let goal = answered + requests
        let lost = failures.count
        return eventually { self.answered >= goal || self.failures.count > lost } && failures.count == lost
    }

    /// Waits until every client's current request has finished.
    func everyClientContinues() -> Bool {
        let before = state.withLock { $0.ended }
        return eventually { zip(self.state.withLock { $0.ended }, before).allSatisfy { $0 > $1 } }
    }

    /// Makes every client end after its current request.
    func finishSoon() { state.withLock { $0.isRunning = false } }

    /// Lets the clients finish their requests. Returns the failures.
    func stop() -> [String] {
        finishSoon()
        _ = eventually { self.state.withLock { $0.clients } == 0 }
        return failures
    }

    private func work(_ ask: () throws -> Void, _ number: Int) {
        while state.withLock({ $0.isRunning }) {
            do {
                try ask()
                state.withLock { $0.answered += 1 }
            } catch {
                state.withLock { $0.failures.append("\(error)") }
            }
            state.withLock { $0.ended[number] += 1 }
        }
    }
}
