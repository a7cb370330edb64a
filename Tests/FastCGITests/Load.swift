import Foundation
import Synchronization

/// Clients that ask one request after the other until told to stop; half of them keep their connection.
final class Load: Sendable {
    private struct State {
        var isRunning = true
        var clients = 0
        var answered = 0
        var failures: [String] = []
    }

    private let state = Mutex(State())

    /// Starts the clients; each `ask` is one request and throws when it was lost.
    init(clients: Int, socketPath: String, target: String = "/pid") {
        state.withLock { $0.clients = clients }
        for number in 0..<clients {
            Thread.detachNewThread {
                self.work(socketPath, Records.request(target, keep: number % 2 == 0), keepsConnection: number % 2 == 0)
                self.state.withLock { $0.clients -= 1 }
            }
        }
    }

    var answered: Int { state.withLock { $0.answered } }
    var failures: [String] { state.withLock { $0.failures } }

    /// Waits until so many more requests were answered, or one was lost.
    func proceed(by requests: Int) -> Bool {
        let goal = answered + requests
        return eventually { self.answered >= goal || !self.failures.isEmpty } && failures.isEmpty
    }

    /// Lets the clients finish their request; returns what went wrong.
    func stop() -> [String] {
        state.withLock { $0.isRunning = false }
        _ = eventually { self.state.withLock { $0.clients } == 0 }
        return failures
    }

    private func work(_ path: String, _ request: [UInt8], keepsConnection: Bool) {
        var peer: Peer?
        while state.withLock({ $0.isRunning }) {
            do {
                let connected = try peer ?? Peer(path: path)
                let answer = try connected.ask(request)
                guard answer.status == 200 else { throw Peer.Broken(reason: "status \(answer.status)") }
                peer = keepsConnection ? connected : nil
                state.withLock { $0.answered += 1 }
            } catch {
                peer = nil
                state.withLock { $0.failures.append("\(error)") }
            }
        }
    }
}
