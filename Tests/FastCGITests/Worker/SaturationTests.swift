import Testing

@testable import FastCGI

@Suite("FastCGI / saturation")
struct SaturationTests {
    @Test("a request does not wait for a slow one of the same worker while another worker is free")
    func passedOn() throws {
        let pool = try EchoProcess.pool(workers: 2, ["ECHO_THREADS": "1"])
        // Of three kept connections, two belong to the same worker of two.
        let peers = try (0..<3).map { _ in try pool.peer() }
        let owners = try peers.map { try $0.ask(Records.request("/pid")).text }
        let pair = try #require([(0, 1), (0, 2), (1, 2)].first { owners[$0.0] == owners[$0.1] })
        let (slow, other) = (peers[pair.0], peers[pair.1])
        try slow.send(Records.request("/sleep?\(pool.untilGate)"))
        #expect(eventually { pool.workers.contains { $0.busyThreads == 1 } })
        // The gate is still closed, so the worker that sleeps cannot have answered.
        #expect(try other.ask(Records.request("/pid")).text != owners[pair.0])
        pool.openGate()
        #expect(try slow.receive().text == "slept \(owners[pair.0])")
    }

    @Test("when every worker is busy, a waiting request is answered by the first free worker")
    func allBusy() throws {
        let pool = try EchoProcess.pool(workers: 2, ["ECHO_THREADS": "1"])
        let peers = try (0..<12).map { _ in try pool.peer() }
        for _ in 0..<2 {
            for peer in peers { try peer.send(Records.request("/sleep?ms=30")) }
            for peer in peers { #expect(try peer.receive().status == 200) }
        }
        #expect(pool.count("workerExited") == 0)
    }

    @Test("the main thread checks only while all threads are busy, and sees whether one has begun another request")
    func check() {
        let saturation = Saturation(threads: 2)
        #expect(saturation.check() == .free)
        saturation.threadIsBusy()
        #expect(saturation.check() == .free)
        saturation.threadIsBusy()
        #expect(saturation.check() == .busy(begun: 2))
        #expect(saturation.check() == .busy(begun: 2))
        saturation.threadIsIdle()
        saturation.threadIsBusy()
        #expect(saturation.check() == .busy(begun: 3))
        saturation.threadIsIdle()
        #expect(saturation.check() == .free)
    }
}
