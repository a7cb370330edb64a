import Foundation
import Testing

@testable import FastCGI

@Suite("FastCGI / behind nginx", .enabled(if: Site.isInstalled, "nginx is not installed"))
struct NginxTests {
    /// Starts clients of every kind: short and slow, with and without a body.
    private func load(_ site: Site) -> Load {
        let path = site.socketPath
        return Load(clients: 12) { number in
            {
                switch number % 3 {
                case 0: _ = try Site.ask("/pid", method: "GET", body: "", at: path)
                case 1:
                    let body = String(repeating: "a", count: 5_000)
                    _ = try Site.ask("/length", method: "POST", body: body, at: path)
                default: _ = try Site.ask("/sleep?ms=20", method: "POST", body: "", at: path)
                }
            }
        }
    }

    @Test("duplicate header fields, the body and the id arrive through nginx")
    func request() throws {
        let site = try Site(before: EchoProcess.pool(workers: 1))
        let text = try site.ask(
            "/a%2Fb//c?d=%20", method: "POST", fields: "Prefer: one\r\nPrefer: two\r\n", body: "hello")
        #expect(text.contains("path=/a%2Fb//c\nquery=d=%20\n"))
        #expect(text.contains("\nbody=hello\n"))
        #expect(text.contains("prefer: one\nprefer: two"))
        let id = text.split(separator: "\n").first { $0.hasPrefix("id=") }?.dropFirst(3)
        #expect(id?.utf8.count == 32)
    }

    @Test("SIGHUP, and SIGTERM to single workers, lose no request")
    func quietly() throws {
        let pool = try EchoProcess.pool(workers: 2)
        let site = try Site(before: pool)
        let load = load(site)
        for round in 1...2 {
            #expect(load.proceed(by: 100))
            pool.send(SIGHUP)
            #expect(eventually { pool.count("workerReplaced") == 2 * round })
        }
        for round in 1...3 {
            #expect(load.proceed(by: 100))
            let ready = pool.count("workerReady")
            // The worker of the previous round may still be running.
            kill(try #require(pool.workers.first { $0.state == .ready }).pid, SIGTERM)
            #expect(eventually { pool.count("workerReady") > ready }, "round \(round)")
        }
        #expect(load.proceed(by: 100))
        #expect(load.stop() == [], "\(site.log) \(pool.events)")
    }

    @Test("SIGKILL of a worker loses at most the requests it was serving, and none after them")
    func killed() throws {
        let pool = try EchoProcess.pool(workers: 2)
        let site = try Site(before: pool)
        let load = load(site)
        #expect(load.proceed(by: 100))
        kill(try #require(pool.workers.first).pid, SIGKILL)
        #expect(eventually { pool.count("workerReady") == 3 })
        // Every client that asked while the worker was killed has its result.
        #expect(load.everyClientContinues())
        let lost = load.failures
        #expect(lost.count <= 12 && lost.allSatisfy { $0.contains("502") }, "\(lost)")
        #expect(load.proceed(by: 200))
        #expect(load.stop().count == lost.count)
    }

    @Test("SIGTERM to the pool finishes the requests that nginx has sent")
    func stop() throws {
        let pool = try EchoProcess.pool(workers: 2)
        let site = try Site(before: pool)
        let path = site.socketPath
        // Six clients with one slow request each, which the workers are serving when the pool is told to stop.
        let target = "/sleep?\(pool.untilGate)"
        let slow = Load(clients: 6) { _ in { _ = try Site.ask(target, method: "POST", body: "", at: path) } }
        #expect(eventually { pool.workers.map(\.busyThreads).reduce(0, +) == 6 })
        slow.finishSoon()
        pool.send(SIGTERM)
        #expect(eventually { pool.workers.allSatisfy { $0.state == .draining } })
        pool.openGate()
        #expect(slow.stop() == [], "\(site.log)")
        #expect(slow.answered == 6)
        #expect(pool.wait() == 0)
    }

    @Test("a hundred idle connections of nginx leave the threads to new ones")
    func idle() throws {
        let pool = try EchoProcess.pool(workers: 1, ["ECHO_THREADS": "2"])
        let site = try Site(before: pool)
        let peers = try (0..<100).map { _ in try pool.peer() }
        for peer in peers { _ = try peer.ask(Records.request()) }
        for _ in 0..<20 { try site.ask("/pid") }
    }
}
