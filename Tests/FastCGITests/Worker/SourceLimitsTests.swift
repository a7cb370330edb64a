import Foundation
import Testing

@testable import FastCGI

@Suite("FastCGI / limits of sources")
struct SourceLimitsTests {
    private func busy(in pool: EchoProcess) -> Int { pool.workers.map(\.busyThreads).reduce(0, +) }
    private func held(in pool: EchoProcess) -> Int { pool.workers.map(\.heldRequests).reduce(0, +) }

    /// Sends requests that are answered once the gate is open, each on its own connection.
    private func send(_ count: Int, of source: Int, to pool: EchoProcess) throws -> [Peer] {
        try (0..<count).map { _ in
            let peer = try pool.peer()
            try peer.send(Records.request("/sleep?source=\(source)&\(pool.untilGate)"))
            return peer
        }
    }

    /// Sends a request of source 1 that is answered once the gate is open. Returns when its handler runs: a busy thread
    /// may not have admitted its request yet, and then a later one could be the first.
    private func sendFirst(to pool: EchoProcess) throws -> Peer {
        let peer = try pool.peer()
        try peer.send(Records.request("/sleep?source=1&\(pool.markingStart)&\(pool.untilGate)"))
        try #require(eventually { pool.hasStarted })
        return peer
    }

    @Test("requests beyond the limit of all workers wait without a thread while other sources are answered")
    func held() throws {
        let pool = try EchoProcess.pool(workers: 2, ["ECHO_THREADS": "2", "ECHO_LIMIT": "2"])
        let peers = try send(20, of: 1, to: pool)
        #expect(eventually { held(in: pool) == 18 && busy(in: pool) == 2 })
        let others = try (0..<4).map { _ in try pool.peer() }
        for peer in others { #expect(try peer.ask(Records.request("/pid?source=2")).status == 200) }
        for peer in others { #expect(try peer.ask(Records.request("/pid")).status == 200) }
        #expect(held(in: pool) == 18)
        pool.openGate()
        for peer in peers { #expect(try peer.receive().status == 200) }
        #expect(eventually { held(in: pool) == 0 && busy(in: pool) == 0 })
        for peer in peers { #expect(try peer.ask(Records.request("/pid?source=1")).status == 200) }
    }

    @Test("a killed worker leaves nothing behind that counts for a source")
    func killed() throws {
        let pool = try EchoProcess.pool(workers: 2)
        let peers = try send(3, of: 1, to: pool)
        #expect(eventually { held(in: pool) == 2 && busy(in: pool) == 1 })
        for worker in pool.workers { kill(worker.pid, SIGKILL) }
        for peer in peers { #expect(throws: Peer.Broken.self) { try peer.receive() } }
        #expect(eventually { pool.count("workerReady") == 4 })
        #expect(try pool.peer().ask(Records.request("/pid?source=1")).status == 200)
        #expect(held(in: pool) == 0)
    }

    @Test("a request is rejected with 429 when it has waited too long, and its connection stays usable")
    func patience() throws {
        let pool = try EchoProcess.pool(workers: 1, ["ECHO_HOLD": "20"])
        let first = try sendFirst(to: pool)
        let late = try pool.peer()
        let answer = try late.ask(Records.request("/pid?source=1", method: "POST", body: Array("never seen".utf8)))
        #expect(answer.status == 429 && answer.text == "refused: tooManyOfSource")
        #expect(try late.ask(Records.request("/pid?source=2")).status == 200)
        pool.openGate()
        #expect(try first.receive().status == 200)
        // A request counts for a moment after its answer, which may be longer than another is held.
        #expect(eventually { (try? late.ask(Records.request("/pid?source=1")).status) == 200 })
    }

    @Test("requests beyond the number that may wait are rejected at once")
    func full() throws {
        let pool = try EchoProcess.pool(workers: 1, ["ECHO_HELD": "2"])
        let peers = try send(3, of: 1, to: pool)
        #expect(eventually { held(in: pool) == 2 })
        #expect(try pool.peer().ask(Records.request("/pid?source=1")).status == 429)
        #expect(try pool.peer().ask(Records.request("/pid?source=2")).status == 200)
        pool.openGate()
        for peer in peers { #expect(try peer.receive().status == 200) }
    }

    @Test("a waiting request whose peer has closed is skipped")
    func gone() throws {
        let pool = try EchoProcess.pool(workers: 1)
        let first = try sendFirst(to: pool)
        var peers = try send(3, of: 1, to: pool)
        #expect(eventually { held(in: pool) == 3 })
        let patient = peers.removeLast()
        peers = []
        pool.openGate()
        #expect(try first.receive().status == 200 && patient.receive().status == 200)
        #expect(eventually { pool.workers.first?.openConnections == 2 && held(in: pool) == 0 })
        // An optimized build ends unused values early, and a peer closes its connection at its end.
        withExtendedLifetime((first, patient)) {}
        #expect(try Scoreboard.open(path: pool.scoreboardPath).sum(counter: 0) == 2)
    }

    @Test("a draining worker answers the waiting requests, and a stopping one too", arguments: [SIGHUP, SIGTERM])
    func leave(signal: Int32) throws {
        let pool = try EchoProcess.pool(workers: 1)
        let old = try #require(pool.workers.first).pid
        let peers = try send(4, of: 1, to: pool)
        #expect(eventually { held(in: pool) == 3 })
        pool.send(signal)
        try #require(eventually { pool.workers.contains { $0.pid == old && $0.state == .draining } })
        pool.openGate()
        for peer in peers { #expect(try peer.receive().text == "slept \(old)") }
        if signal == SIGTERM { #expect(pool.wait() == 0) }
        #expect(eventually { pool.events.contains { $0.hasPrefix("workerExited") && $0.contains("status(0)") } })
    }

    @Test("requests that still wait when half of the time to drain has passed are rejected, not aborted")
    func drainDeadline() throws {
        let worker = try EchoProcess.worker(["ECHO_THREADS": "2", "ECHO_DRAIN": "2"])
        let running = try worker.peer()
        try running.send(Records.request("/sleep?source=1&\(worker.markingStart)&\(worker.untilGate)"))
        try #require(eventually { worker.hasStarted })
        let waiting = try worker.peer()
        try waiting.send(Records.request("/pid?source=1"))
        // Answered by the other thread, which has thus read the request before.
        let other = try worker.peer()
        #expect(try other.ask(Records.request("/pid")).status == 200)
        worker.send(SIGTERM)
        #expect(try waiting.receive().status == 429)
        worker.openGate()
        #expect(try running.receive().status == 200)
        #expect(worker.wait() == 0)
    }

    @Test("a single worker without a pool has the same limits")
    func alone() throws {
        let worker = try EchoProcess.worker(["ECHO_THREADS": "2", "ECHO_HOLD": "20"])
        let running = try worker.peer()
        try running.send(Records.request("/sleep?source=1&\(worker.markingStart)&\(worker.untilGate)"))
        try #require(eventually { worker.hasStarted })
        #expect(try worker.peer().ask(Records.request("/pid?source=1")).status == 429)
        worker.openGate()
        #expect(try running.receive().status == 200)
        // A request counts for a moment after its answer, which may be longer than another is held.
        #expect(eventually { (try? worker.peer().ask(Records.request("/pid?source=1")).status) == 200 })
    }

    @Test("recycling under requests of one source loses none of them")
    func recycle() throws {
        let pool = try EchoProcess.pool(workers: 2, ["ECHO_RECYCLE": "100", "ECHO_LIMIT": "2"])
        let load = Load(clients: 8, socketPath: pool.socketPath, target: "/sleep?source=1&ms=1")
        #expect(eventually { pool.count("workerReplaced") >= 4 })
        #expect(load.stop() == [])
        let begun = try Scoreboard.open(path: pool.scoreboardPath).sum(counter: 0)
        #expect(begun == UInt64(load.answered))
    }
}
