import Foundation
import HTTP
import Testing

@testable import FastCGI

@Suite("FastCGI / slow lane")
struct SlowLaneTests {
    /// The number of requests that the workers have begun, slow and ordinary.
    private func begun(by pool: EchoProcess) throws -> UInt64 {
        try Scoreboard.open(path: pool.scoreboardPath).sum(counter: 0)
    }

    private func waiting(in pool: EchoProcess) -> Int { pool.workers.map(\.waitingRequests).reduce(0, +) }

    /// Sends slow requests so that they arrive in this order, each on its own connection.
    private func sendSlow(_ queries: [String], to pool: EchoProcess) throws -> [Peer] {
        try queries.map { query in
            let before = waiting(in: pool)
            let peer = try pool.peer()
            try peer.send(Records.request("/slow?\(query)"))
            try #require(eventually { waiting(in: pool) == before + 1 })
            return peer
        }
    }

    @Test("ordinary requests find a free thread however many slow requests wait")
    func ordinary() throws {
        let pool = try EchoProcess.pool(workers: 1, ["ECHO_THREADS": "1"])
        let slow = try sendSlow([pool.untilGate] + [String](repeating: "", count: 40), to: pool)
        let peers = try (0..<10).map { _ in try pool.peer() }
        for _ in 0..<10 {
            for peer in peers { #expect(try peer.ask(Records.request("/pid")).status == 200) }
        }
        let worker = try #require(pool.workers.first)
        #expect(worker.waitingRequests == 41, "the first one is still being answered")
        #expect(worker.threads == 1 && eventually { pool.workers.first?.busyThreads == 0 })
        pool.openGate()
        for peer in slow { #expect(try peer.receive().status == 200) }
        #expect(eventually { waiting(in: pool) == 0 })
        // Counted after the response was sent.
        #expect(eventually { pool.workers.first?.requestsServed == 141 })
    }

    @Test("slow requests are answered one after the other in the order of arrival, and their connections stay usable")
    func order() throws {
        let pool = try EchoProcess.pool(workers: 1)
        let peers = try sendSlow([pool.untilGate, "ms=1", "ms=30", "ms=1", "ms=1"], to: pool)
        pool.openGate()
        for (number, peer) in peers.enumerated() {
            #expect(try peer.receive().text.hasPrefix("slow \(number + 1) "))
            #expect(try peer.ask(Records.request("/pid")).text == "\(pool.workers[0].pid)")
        }
        #expect(pool.workers.first?.openConnections == 5)
        // An optimized build ends unused values early, and a peer closes its connection at its end.
        withExtendedLifetime(peers) {}
    }

    @Test("the slow thread has a lower priority than the others")
    func niceness() throws {
        let peer = try EchoProcess.worker(["ECHO_THREADS": "1"]).peer()
        let own = getpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0)
        #expect(try peer.ask(Records.request("/slow")).text == "slow 1 at \(min(19, own + 10))")
        #expect(try peer.ask(Records.request("/niceness")).text == "\(own)")
    }

    @Test("slow requests beyond the queue's limit are rejected with 503; ordinary and queued ones are answered")
    func full() throws {
        let pool = try EchoProcess.pool(workers: 1, ["ECHO_WAITING": "3"])
        let first = try sendSlow([pool.untilGate], to: pool)
        try #require(eventually { (try? begun(by: pool)) == 1 })
        let others = try sendSlow(["", "", ""], to: pool)
        let late = try pool.peer()
        for _ in 0..<3 {
            let answer = try late.ask(Records.request("/slow", method: "POST", body: Array("never seen".utf8)))
            #expect(answer.status == 503 && answer.text == "refused: tooManyWaiting")
        }
        #expect(try late.ask(Records.request("/pid")).status == 200)
        #expect(waiting(in: pool) == 4)
        pool.openGate()
        for peer in first + others { #expect(try peer.receive().status == 200) }
        #expect(try late.ask(Records.request("/slow")).status == 200)
    }

    @Test("a source has at most its limit of waiting slow requests; those of other sources are queued")
    func sources() throws {
        let pool = try EchoProcess.pool(workers: 1, ["ECHO_LIMIT": "2"])
        let first = try sendSlow([pool.untilGate], to: pool)
        try #require(eventually { (try? begun(by: pool)) == 1 })
        let others = try sendSlow(["source=1", "source=1", "source=2", ""], to: pool)
        let late = try pool.peer()
        let answer = try late.ask(Records.request("/slow?source=1"))
        #expect(answer.status == 429 && answer.text == "refused: tooManyOfSource")
        pool.openGate()
        for peer in first + others { #expect(try peer.receive().status == 200) }
        #expect(try late.ask(Records.request("/slow?source=1")).status == 200)
    }

    @Test("a slow request whose peer has closed is skipped; one whose peer has only finished sending is answered")
    func gone() throws {
        let pool = try EchoProcess.pool(workers: 1)
        let first = try sendSlow([pool.untilGate], to: pool)
        var peers = try sendSlow(["", "", "", "", ""], to: pool)
        let half = peers.removeLast()
        half.endSending()
        peers = []
        pool.openGate()
        #expect(try first[0].receive().text.hasPrefix("slow 1 "))
        #expect(try half.receive().text.hasPrefix("slow 2 "))
        #expect(eventually { pool.workers.first?.openConnections == 1 && waiting(in: pool) == 0 })
        // An optimized build ends unused values early, and a peer closes its connection at its end.
        withExtendedLifetime((first, half)) {}
        #expect(try begun(by: pool) == 2)
    }

    @Test("a stopping worker answers the waiting requests and then ends with 0")
    func stop() throws {
        let pool = try EchoProcess.pool(workers: 1)
        let peers = try sendSlow([pool.untilGate, "ms=50", "ms=50", "ms=50"], to: pool)
        pool.send(SIGTERM)
        try #require(eventually { pool.workers.first?.state == .draining })
        pool.openGate()
        for peer in peers {
            #expect(try peer.receive().text.hasPrefix("slow "))
            #expect(peer.isClosed())
        }
        #expect(pool.wait() == 0)
        #expect(pool.events.filter { $0.hasPrefix("workerExited") }.allSatisfy { $0.contains("status(0)") })
    }

    @Test("a draining worker answers the waiting requests and then hands the connections to its replacement")
    func leave() throws {
        let pool = try EchoProcess.pool(workers: 1)
        let old = try #require(pool.workers.first).pid
        let peers = try sendSlow([pool.untilGate, "ms=50", "ms=50", "ms=50"], to: pool)
        pool.send(SIGHUP)
        try #require(eventually { pool.count("workerReplaced") == 1 })
        #expect(pool.count("workerExited") == 0)
        pool.openGate()
        for (number, peer) in peers.enumerated() {
            #expect(try peer.receive().text.hasPrefix("slow \(number + 1) "))
            #expect(try peer.ask(Records.request("/pid")).text != "\(old)")
        }
        #expect(eventually { pool.events.contains { $0.hasPrefix("workerExited") && $0.contains("status(0)") } })
    }

    @Test("requests that still wait at the drain deadline are aborted, and the worker ends with 1")
    func deadline() throws {
        // One ordinary thread, which reads the requests in the order they were sent.
        let worker = try EchoProcess.worker(["ECHO_THREADS": "1", "ECHO_DRAIN": "2"])
        let peers = try (0..<3).map { _ in try worker.peer() }
        for (peer, query) in zip(peers, ["ms=300&\(worker.markingStart)", worker.untilGate, ""]) {
            try peer.send(Records.request("/slow?\(query)"))
        }
        try #require(eventually { worker.hasStarted })
        worker.send(SIGTERM)
        #expect(worker.wait() == 1)
        #expect(try peers[0].receive().status == 200)
        for peer in peers.dropFirst() { #expect(throws: Peer.Broken.self) { try peer.receive() } }
    }

    @Test("recycling under slow and ordinary requests loses none of them")
    func recycle() throws {
        let pool = try EchoProcess.pool(workers: 2, ["ECHO_RECYCLE": "100"])
        let slow = Load(clients: 6, socketPath: pool.socketPath, target: "/slow?ms=1")
        let ordinary = Load(clients: 2, socketPath: pool.socketPath)
        #expect(eventually { pool.count("workerReplaced") >= 4 })
        #expect(slow.stop() == [] && ordinary.stop() == [])
        #expect(try begun(by: pool) == UInt64(slow.answered + ordinary.answered))
    }

    @Test("the queue accepts requests up to its limits of number and size, and returns them after it was closed")
    func bounds() {
        func request(_ name: String, bytes: Int) -> ReceivedRequest {
            let body = [UInt8](repeating: 0, count: bytes - name.utf8.count)
            return ReceivedRequest(
                request: Request(method: "POST", path: name, body: body),
                rejection: nil, reply: Reply(connection: -1, requestID: 1, mayKeep: false))
        }
        let lane = SlowLane(maxRequests: 3, maxBytes: 100)
        #expect(lane.add(request("a", bytes: 60)) == nil)
        #expect(lane.add(request("b", bytes: 41)) == .tooManyWaiting)
        #expect(lane.add(request("c", bytes: 40)) == nil)
        #expect(lane.next()?.request.path == "a")
        #expect(lane.add(request("d", bytes: 60)) == nil)
        #expect(lane.add(request("e", bytes: 1)) == .tooManyWaiting)
        lane.close()
        #expect(lane.next()?.request.path == "c")
        #expect(lane.next()?.request.path == "d")
        #expect(lane.next() == nil)
    }
}
