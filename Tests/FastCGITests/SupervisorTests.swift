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

    @Test("SIGTERM to one worker under load loses no request, and another takes its place")
    func oneLeaves() throws {
        let pool = try EchoProcess.pool(workers: 2)
        let load = Load(clients: 8, socketPath: pool.socketPath)
        for round in 1...3 {
            #expect(load.proceed(by: 100))
            // The one told before may still be there.
            kill(try #require(pool.workers.first { $0.state == .ready }).pid, SIGTERM)
            #expect(eventually { pool.count("workerReady") == 2 + round })
        }
        #expect(load.proceed(by: 100))
        #expect(load.stop() == [])
    }

    @Test("the only worker may leave too: its connections wait for the next one")
    func onlyOneLeaves() throws {
        let pool = try EchoProcess.pool(workers: 1)
        let peers = try (0..<30).map { _ in try pool.peer() }
        for peer in peers { #expect(try peer.ask(Records.request("/pid")).text == "\(pool.workers[0].pid)") }
        let load = Load(clients: 4, socketPath: pool.socketPath)
        kill(pool.workers[0].pid, SIGTERM)
        #expect(eventually { pool.count("workerReady") == 2 })
        for peer in peers { #expect(try peer.ask(Records.request("/pid")).text == "\(pool.workers[0].pid)") }
        #expect(load.stop() == [])
    }

    @Test("recycling after some requests, under load, loses none of them")
    func recycle() throws {
        let pool = try EchoProcess.pool(workers: 2, ["ECHO_RECYCLE": "150"])
        let load = Load(clients: 8, socketPath: pool.socketPath)
        #expect(eventually { pool.count("workerReplaced") >= 4 })
        #expect(load.stop() == [])
        let board = try Scoreboard.open(path: pool.scoreboardPath)
        #expect(board.sum(counter: 0) == UInt64(load.answered))
    }

    @Test("SIGTERM finishes the requests in flight, takes the socket away and ends with 0")
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

    @Test("a worker that does not finish in time is killed, and the supervisor says so with 1")
    func stopDeadline() throws {
        let pool = try EchoProcess.pool(workers: 1, ["ECHO_DRAIN": "1", "ECHO_STUBBORN": "1"])
        let peer = try pool.peer()
        try peer.send(Records.request("/sleep?ms=20000"))
        #expect(eventually { pool.workers.first?.busyThreads == 1 })
        pool.send(SIGTERM)
        #expect(pool.wait() == 1)
        #expect(pool.count("workerKilled") == 1)
    }

    @Test("a crash costs only its own request, and another worker takes the place at once")
    func crash() throws {
        let pool = try EchoProcess.pool(workers: 1)
        #expect(throws: Peer.Broken.self) { try pool.peer().ask(Records.request("/crash")) }
        #expect(try pool.peer().ask(Records.request("/pid")).status == 200)
        #expect(pool.events.contains { $0.hasPrefix("workerExited") && $0.contains("signal(6)") })
        #expect(pool.count("startDelayed") == 0)
    }

    @Test("SIGKILL of a worker loses none of the requests that come after")
    func killed() throws {
        let pool = try EchoProcess.pool(workers: 2)
        let victim = pool.workers[0].pid
        kill(victim, SIGKILL)
        for _ in 0..<50 { #expect(try pool.peer().ask(Records.request("/pid")).text != "\(victim)") }
        #expect(eventually { pool.count("workerReady") == 3 })
    }

    @Test("workers that die at their start are started again with growing pauses")
    func dying() throws {
        let pool = try EchoProcess.pool(workers: 1, ["ECHO_DIE": "1"], untilReady: false)
        func starts() -> [String] {
            pool.events.compactMap { $0.hasPrefix("startDelayed") ? String($0.suffix(12)) : $0.hasPrefix("workerStarted") ? "start" : nil }
        }
        // A machine that takes a second for a start and a death makes the pauses begin anew.
        try #require(eventually { starts().contains("0.4 seconds)") })
        let until = starts().prefix { $0 != "0.4 seconds)" }
        #expect(until.suffix(4) == ["0.1 seconds)", "start", "0.2 seconds)", "start"])
        pool.send(SIGTERM)
        #expect(pool.wait() == 0)
    }

    @Test("a reload whose new worker dies keeps the old workers")
    func badReload() throws {
        let place = Place()
        // Its own link to the program, so that a reload finds another one.
        let program = place.file("program")
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: EchoProcess.executable)
        let pool = try EchoProcess.pool(workers: 2, ["ECHO_PROGRAM": program], in: place)
        let before = pool.workers.map(\.pid)
        try FileManager.default.removeItem(atPath: program)
        try FileManager.default.createSymbolicLink(atPath: program, withDestinationPath: "/bin/false")
        pool.send(SIGHUP)
        #expect(eventually { pool.count("replacementFailed") == 1 })
        #expect(try pool.peer().ask(Records.request()).status == 200)
        #expect(pool.workers.map(\.pid) == before)
    }

    @Test("the socket is for owner and group, and one left by a killed supervisor is replaced")
    func stale() throws {
        let place = Place()
        let first = try EchoProcess.pool(workers: 1, in: place)
        let worker = first.workers[0].pid
        let mode = try FileManager.default.attributesOfItem(atPath: first.socketPath)[.posixPermissions] as? Int
        #expect(mode == 0o660)
        first.send(SIGKILL)
        #expect(first.wait() == nil)
        #expect(eventually { kill(worker, 0) != 0 }, "a worker goes with its supervisor")
        #expect(FileManager.default.fileExists(atPath: first.socketPath))
        #expect(Supervisor.running(on: first.socketPath) == nil)
        let second = try EchoProcess.pool(workers: 1, in: place)
        #expect(try second.peer().ask(Records.request()).status == 200)
        #expect(Supervisor.running(on: first.socketPath) == second.pid)
    }

    @Test("a second supervisor on the same socket is refused and disturbs nothing")
    func second() throws {
        let place = Place()
        let first = try EchoProcess.pool(workers: 1, in: place)
        let second = try EchoProcess.pool(workers: 1, in: place, untilReady: false)
        #expect(second.wait() == 1)
        #expect(second.events == ["alreadyRunning(socketPath: \"\(place.file("s"))\", pid: Optional(\(first.pid)))"])
        #expect(try first.peer().ask(Records.request()).status == 200)
    }

    @Test("a successor under load takes the pool over, again and again, and loses no request")
    func succession() throws {
        let place = Place()
        var pool = try EchoProcess.pool(workers: 2, in: place)
        let peers = try (0..<10).map { _ in try pool.peer() }
        for peer in peers { #expect(try peer.ask(Records.request()).status == 200) }
        let load = Load(clients: 8, socketPath: pool.socketPath)
        for workers in [3, 1, 2] {
            #expect(load.proceed(by: 200))
            let next = try EchoProcess.pool(workers: workers, in: place, as: "succeed")
            #expect(pool.wait() == 0)
            #expect(pool.count("handedOver") == 1 && next.count("tookOver") == 1)
            #expect(next.workers.count == workers)
            #expect(Supervisor.running(on: next.socketPath) == next.pid)
            pool = next
        }
        #expect(load.proceed(by: 200))
        #expect(load.stop() == [])
        for peer in peers { #expect(try peer.ask(Records.request()).status == 200) }
    }

    @Test("a successor lets the requests in flight finish")
    func successionInFlight() throws {
        let place = Place()
        let old = try EchoProcess.pool(workers: 1, in: place)
        let busy = try (0..<4).map { _ in try old.peer() }
        for peer in busy { try peer.send(Records.request("/sleep?\(old.untilGate)")) }
        #expect(eventually { old.workers.map(\.busyThreads).reduce(0, +) == 4 })
        let new = try EchoProcess.pool(workers: 1, in: place, as: "succeed")
        #expect(eventually { old.count("handedOver") == 1 })
        old.openGate()
        for peer in busy { #expect(try peer.receive().text.hasPrefix("slept ")) }
        #expect(old.wait() == 0)
        #expect(try busy[0].ask(Records.request("/pid")).text == "\(new.workers[0].pid)")
    }

    @Test("a successor whose workers die leaves the pool as it was, and loses no request")
    func badSuccessor() throws {
        let place = Place()
        let pool = try EchoProcess.pool(workers: 2, in: place)
        let before = pool.workers.map(\.pid)
        let load = Load(clients: 4, socketPath: pool.socketPath)
        let bad = try EchoProcess.pool(workers: 2, ["ECHO_DIE": "1"], in: place, untilReady: false, as: "succeed")
        #expect(bad.wait() == 1)
        #expect(bad.events.last == "takeoverFailed(from: Optional(\(pool.pid)))")
        let late = ["ECHO_LATE": "1", "ECHO_DRAIN": "1"]
        let killed = try EchoProcess.pool(workers: 1, late, in: place, untilReady: false, as: "succeed")
        #expect(eventually { killed.count("workerStarted") == 1 })
        killed.send(SIGKILL)
        _ = killed.wait()
        #expect(load.proceed(by: 200))
        #expect(load.stop() == [])
        #expect(pool.workers.map(\.pid) == before)
        // Its workers write themselves down on its own scoreboard, whatever those who failed have left.
        kill(before[0], SIGKILL)
        #expect(eventually { pool.workers.count == 2 && !pool.workers.map(\.pid).contains(before[0]) })
        let next = try EchoProcess.pool(workers: 1, in: place, as: "succeed")
        #expect(pool.wait() == 0)
        #expect(try next.peer().ask(Records.request()).status == 200)
    }

    @Test("a successor of nobody begins, also after a supervisor that was killed")
    func successorOfNobody() throws {
        let place = Place()
        let first = try EchoProcess.pool(workers: 1, in: place, as: "succeed")
        let worker = first.workers[0].pid
        first.send(SIGKILL)
        _ = first.wait()
        #expect(eventually { kill(worker, 0) != 0 })
        let second = try EchoProcess.pool(workers: 1, in: place, as: "succeed")
        #expect(try second.peer().ask(Records.request()).status == 200)
        second.send(SIGTERM)
        #expect(second.wait() == 0)
        #expect(try FileManager.default.contentsOfDirectory(atPath: place.path).filter { $0.hasPrefix("s") } == ["s.lock"])
    }

    @Test("what is no socket, or is another program's, stays where it is")
    func foreign() throws {
        let place = Place()
        try "mine".write(toFile: place.file("s"), atomically: true, encoding: .utf8)
        let pool = try EchoProcess.pool(workers: 1, in: place, untilReady: false)
        #expect(pool.wait() == 1)
        #expect(pool.count("pathTaken") == 1)
        #expect(try String(contentsOfFile: place.file("s"), encoding: .utf8) == "mine")
    }

    @Test("a path too long for a unix socket is an error that says so")
    func longPath() throws {
        let place = Place()
        let path = place.file(String(repeating: "a", count: 120))
        #expect(throws: SupervisorFailure.system(call: "bind", path: path, errno: ENAMETOOLONG)) {
            _ = try ListeningSocket(path: path, mode: 0o660, backlog: 1)
        }
    }

    @Test("the scoreboard tells how each worker is")
    func status() throws {
        let pool = try EchoProcess.pool(workers: 2, ["ECHO_THREADS": "3"])
        let peers = try (0..<5).map { _ in try pool.peer() }
        for peer in peers { _ = try peer.ask(Records.request()) }
        let workers = pool.workers
        #expect(workers.map(\.state) == [.ready, .ready])
        #expect(workers.map(\.threads) == [3, 3])
        #expect(workers.map(\.openConnections).reduce(0, +) == 5)
        // Counted after the answer was sent.
        #expect(eventually { pool.workers.map(\.requestsServed).reduce(0, +) == 5 })
        #expect(workers.allSatisfy { abs($0.startedAt - time(nil)) < 60 })
    }
}
