import Foundation
import Testing

@testable import FastCGI

@Suite("FastCGI / supervisor")
struct SupervisorTests {
    @Test("SIGHUP under load replaces every worker and loses no request")
    func reload() throws {
        let pool = try EchoProcess.pool(workers: 2)
        let load = Load(clients: 8, socketPath: pool.socketPath)
        for round in 1...3 {
            #expect(load.proceed(by: 200))
            pool.send(SIGHUP)
            #expect(eventually { pool.count("workerReplaced") == 2 * round })
        }
        #expect(load.proceed(by: 200))
        #expect(load.stop() == [])
        #expect(eventually { pool.count("workerExited") == 6 })
        #expect(pool.events.filter { $0.hasPrefix("workerExited") }.allSatisfy { $0.contains("status(0)") })
    }

    @Test("SIGTERM to one worker under load loses no request, and another worker replaces it")
    func oneDrains() throws {
        let pool = try EchoProcess.pool(workers: 2)
        let load = Load(clients: 8, socketPath: pool.socketPath)
        for round in 1...3 {
            #expect(load.proceed(by: 100))
            // The worker of the previous round may still be running.
            kill(try #require(pool.workers.first { $0.state == .ready }).pid, SIGTERM)
            #expect(eventually { pool.count("workerReady") == 2 + round })
        }
        #expect(load.proceed(by: 100))
        #expect(load.stop() == [])
    }

    @Test("when the only worker drains, its connections wait for the next one")
    func onlyOneDrains() throws {
        let pool = try EchoProcess.pool(workers: 1)
        let peers = try (0..<30).map { _ in try pool.peer() }
        for peer in peers { #expect(try peer.ask(Records.request("/pid")).text == "\(pool.workers[0].pid)") }
        let load = Load(clients: 4, socketPath: pool.socketPath)
        kill(pool.workers[0].pid, SIGTERM)
        #expect(eventually { pool.count("workerReady") == 2 })
        for peer in peers { #expect(try peer.ask(Records.request("/pid")).text == "\(pool.workers[0].pid)") }
        #expect(load.stop() == [])
    }

    @Test("replacing workers after a number of requests, under load, loses no request")
    func recycle() throws {
        let pool = try EchoProcess.pool(workers: 2, ["ECHO_RECYCLE": "150"])
        let load = Load(clients: 8, socketPath: pool.socketPath)
        #expect(eventually { pool.count("workerReplaced") >= 4 })
        #expect(load.stop() == [])
        let board = try Scoreboard.open(path: pool.scoreboardPath)
        #expect(board.sum(counter: 0) == UInt64(load.answered))
    }

    @Test("SIGTERM finishes the requests in flight, removes the socket and ends with 0")
    func stop() throws {
        let pool = try EchoProcess.pool(workers: 2)
        let idle = try pool.peer()
        #expect(try idle.ask(Records.request()).status == 200)
        let busy = try (0..<4).map { _ in try pool.peer() }
        for peer in busy { try peer.send(Records.request("/sleep?\(pool.untilGate)")) }
        #expect(eventually { pool.workers.map(\.busyThreads).reduce(0, +) == 4 })
        pool.send(SIGTERM)
        #expect(eventually { pool.workers.allSatisfy { $0.state == .draining } })
        pool.openGate()
        for peer in busy { #expect(try peer.receive().text.hasPrefix("slept ")) }
        #expect(pool.wait() == 0)
        #expect(idle.isClosed())
        #expect(!FileManager.default.fileExists(atPath: pool.socketPath))
        #expect(pool.workers.isEmpty)
    }

    @Test("a worker that does not finish in time is killed, and the supervisor ends with 1")
    func stopDeadline() throws {
        let pool = try EchoProcess.pool(workers: 1, ["ECHO_DRAIN": "1", "ECHO_STUBBORN": "1"])
        let peer = try pool.peer()
        try peer.send(Records.request("/sleep?ms=20000"))
        #expect(eventually { pool.workers.first?.busyThreads == 1 })
        pool.send(SIGTERM)
        #expect(pool.wait() == 1)
        #expect(pool.count("workerKilled") == 1)
    }

    @Test("a crash loses only its own request, and another worker replaces the crashed one at once")
    func crash() throws {
        let pool = try EchoProcess.pool(workers: 1)
        #expect(throws: Peer.Broken.self) { try pool.peer().ask(Records.request("/crash")) }
        #expect(try pool.peer().ask(Records.request("/pid")).status == 200)
        #expect(pool.events.contains { $0.hasPrefix("workerExited") && $0.contains("signal(6)") })
        #expect(pool.count("startDelayed") == 0)
    }

    @Test("SIGKILL of a worker loses no later request")
    func killed() throws {
        let pool = try EchoProcess.pool(workers: 2)
        let victim = pool.workers[0].pid
        kill(victim, SIGKILL)
        for _ in 0..<50 { #expect(try pool.peer().ask(Records.request("/pid")).text != "\(victim)") }
        #expect(eventually { pool.count("workerReady") == 3 })
    }

    @Test("workers that die at their start are started again after growing pauses")
    func dying() throws {
        let pool = try EchoProcess.pool(workers: 1, ["ECHO_DIE": "1"], untilReady: false)
        func starts() -> [String] {
            pool.events.compactMap { event in
                if event.hasPrefix("startDelayed") { return String(event.suffix(12)) }
                return event.hasPrefix("workerStarted") ? "start" : nil
            }
        }
        // On a machine that takes a second for a start and an end, the pauses begin at the shortest again.
        try #require(eventually { starts().contains("0.4 seconds)") })
        let until = starts().prefix { $0 != "0.4 seconds)" }
        #expect(until.suffix(4) == ["0.1 seconds)", "start", "0.2 seconds)", "start"])
        pool.send(SIGTERM)
        #expect(pool.wait() == 0)
    }

    @Test("a reload whose new worker dies keeps the old workers")
    func badReload() throws {
        let folder = TemporaryFolder()
        // A link to the program that is changed later, so that a reload finds another program.
        let program = folder.file("program")
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: EchoProcess.executable)
        let pool = try EchoProcess.pool(workers: 2, ["ECHO_PROGRAM": program], in: folder)
        let before = pool.workers.map(\.pid)
        try FileManager.default.removeItem(atPath: program)
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: "/bin/false")
        pool.send(SIGHUP)
        #expect(eventually { pool.count("replacementFailed") == 1 })
        #expect(try pool.peer().ask(Records.request()).status == 200)
        #expect(pool.workers.map(\.pid) == before)
    }

    @Test("owner and group may use the socket, and a killed supervisor's socket is replaced")
    func stale() throws {
        let folder = TemporaryFolder()
        let first = try EchoProcess.pool(workers: 1, in: folder)
        let worker = first.workers[0].pid
        let mode = try FileManager.default.attributesOfItem(atPath: first.socketPath)[.posixPermissions] as? Int
        #expect(mode == 0o660)
        first.send(SIGKILL)
        #expect(first.wait() == nil)
        #expect(eventually { kill(worker, 0) != 0 }, "a worker ends with its supervisor")
        #expect(FileManager.default.fileExists(atPath: first.socketPath))
        #expect(Supervisor.running(on: first.socketPath) == nil)
        let second = try EchoProcess.pool(workers: 1, in: folder)
        #expect(try second.peer().ask(Records.request()).status == 200)
        #expect(Supervisor.running(on: first.socketPath) == second.pid)
    }

    @Test("a second supervisor on the same socket fails and changes nothing")
    func second() throws {
        let folder = TemporaryFolder()
        let first = try EchoProcess.pool(workers: 1, in: folder)
        let second = try EchoProcess.pool(workers: 1, in: folder, untilReady: false)
        #expect(second.wait() == 1)
        #expect(second.events == ["alreadyRunning(socketPath: \"\(folder.file("s"))\", pid: Optional(\(first.pid)))"])
        #expect(try first.peer().ask(Records.request()).status == 200)
    }

    @Test("a supervisor under load takes the pool over, three times in a row, and loses no request")
    func takeover() throws {
        let folder = TemporaryFolder()
        var pool = try EchoProcess.pool(workers: 2, in: folder)
        let peers = try (0..<10).map { _ in try pool.peer() }
        for peer in peers { #expect(try peer.ask(Records.request()).status == 200) }
        let load = Load(clients: 8, socketPath: pool.socketPath)
        for workers in [3, 1, 2] {
            #expect(load.proceed(by: 200))
            let next = try EchoProcess.pool(workers: workers, in: folder, as: "take-over")
            #expect(pool.wait() == 0)
            #expect(pool.count("handedOver") == 1)
            // The new one learns from the end of the old one that the pool is its own.
            #expect(eventually { next.count("tookOver") == 1 && Supervisor.running(on: next.socketPath) == next.pid })
            #expect(next.workers.count == workers)
            pool = next
        }
        #expect(load.proceed(by: 200))
        #expect(load.stop() == [])
        for peer in peers { #expect(try peer.ask(Records.request()).status == 200) }
    }

    @Test("a takeover lets the requests in flight finish")
    func takeoverInFlight() throws {
        let folder = TemporaryFolder()
        let old = try EchoProcess.pool(workers: 1, in: folder)
        let busy = try (0..<4).map { _ in try old.peer() }
        for peer in busy { try peer.send(Records.request("/sleep?\(old.untilGate)")) }
        #expect(eventually { old.workers.map(\.busyThreads).reduce(0, +) == 4 })
        let new = try EchoProcess.pool(workers: 1, in: folder, as: "take-over")
        #expect(eventually { old.count("handedOver") == 1 })
        old.openGate()
        for peer in busy { #expect(try peer.receive().text.hasPrefix("slept ")) }
        #expect(old.wait() == 0)
        #expect(try busy[0].ask(Records.request("/pid")).text == "\(new.workers[0].pid)")
    }

    @Test("a takeover whose workers die leaves the pool unchanged and loses no request")
    func failedTakeover() throws {
        let folder = TemporaryFolder()
        let pool = try EchoProcess.pool(workers: 2, in: folder)
        let before = pool.workers.map(\.pid)
        let load = Load(clients: 4, socketPath: pool.socketPath)
        let bad = try EchoProcess.pool(workers: 2, ["ECHO_DIE": "1"], in: folder, untilReady: false, as: "take-over")
        #expect(bad.wait() == 1)
        #expect(bad.events.last == "takeoverFailed(from: Optional(\(pool.pid)))")
        let late = ["ECHO_LATE": "1", "ECHO_DRAIN": "1"]
        let killed = try EchoProcess.pool(workers: 1, late, in: folder, untilReady: false, as: "take-over")
        #expect(eventually { killed.count("workerStarted") == 1 })
        killed.send(SIGKILL)
        _ = killed.wait()
        #expect(load.proceed(by: 200))
        #expect(load.stop() == [])
        #expect(pool.workers.map(\.pid) == before)
        // The pool's workers use its own scoreboard, whatever files the failed takeovers have left.
        kill(before[0], SIGKILL)
        #expect(eventually { pool.workers.count == 2 && !pool.workers.map(\.pid).contains(before[0]) })
        let next = try EchoProcess.pool(workers: 1, in: folder, as: "take-over")
        #expect(pool.wait() == 0)
        #expect(try next.peer().ask(Records.request()).status == 200)
    }

    @Test("a takeover without a running pool starts one, also after a supervisor was killed")
    func takeoverOfNothing() throws {
        let folder = TemporaryFolder()
        let first = try EchoProcess.pool(workers: 1, in: folder, as: "take-over")
        let worker = first.workers[0].pid
        first.send(SIGKILL)
        _ = first.wait()
        #expect(eventually { kill(worker, 0) != 0 })
        let second = try EchoProcess.pool(workers: 1, in: folder, as: "take-over")
        #expect(try second.peer().ask(Records.request()).status == 200)
        second.send(SIGTERM)
        #expect(second.wait() == 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(left.filter { $0.hasPrefix("s") } == ["s.lock"])
    }

    @Test("a file that is not the pool's socket is left alone")
    func foreign() throws {
        let folder = TemporaryFolder()
        try "mine".write(toFile: folder.file("s"), atomically: true, encoding: .utf8)
        let pool = try EchoProcess.pool(workers: 1, in: folder, untilReady: false)
        #expect(pool.wait() == 1)
        #expect(pool.count("pathTaken") == 1)
        #expect(try String(contentsOfFile: folder.file("s"), encoding: .utf8) == "mine")
    }

    @Test("a path too long for a unix socket is reported as such")
    func longPath() throws {
        let folder = TemporaryFolder()
        let path = folder.file(String(repeating: "a", count: 120))
        #expect(throws: SupervisorFailure.system(call: "bind", path: path, errno: ENAMETOOLONG)) {
            _ = try ListeningSocket(path: path, mode: 0o660, backlog: 1)
        }
    }

    @Test("the scoreboard shows the state of each worker")
    func status() throws {
        let pool = try EchoProcess.pool(workers: 2, ["ECHO_THREADS": "3"])
        let peers = try (0..<5).map { _ in try pool.peer() }
        for peer in peers { _ = try peer.ask(Records.request()) }
        let workers = pool.workers
        #expect(workers.map(\.state) == [.ready, .ready])
        #expect(workers.map(\.threads) == [3, 3])
        #expect(workers.map(\.openConnections).reduce(0, +) == 5)
        // Counted after the response was sent.
        #expect(eventually { pool.workers.map(\.requestsServed).reduce(0, +) == 5 })
        #expect(workers.allSatisfy { abs($0.startedAt - time(nil)) < 60 })
        // An optimized build ends unused values early, and a peer closes its connection at its end.
        withExtendedLifetime(peers) {}
    }
}
