import HTTP
import Testing

@testable import FastCGI

@Suite("FastCGI / held requests")
struct HeldRequestsTests {
    private let alice = RequestSource(key: 1, limit: 1)
    private let bob = RequestSource(key: 2, limit: 1)

    private func held(_ change: (inout WorkerOptions) -> Void = { _ in }) -> HeldRequests {
        var options = WorkerOptions()
        change(&options)
        return HeldRequests(options: options)
    }

    private func request(_ name: String, bytes: Int = 10) -> ReceivedRequest {
        let body = [UInt8](repeating: 0, count: bytes - name.utf8.count)
        return ReceivedRequest(
            request: Request(method: "POST", path: name, body: body), rejection: nil,
            reply: Reply(connection: -1, requestID: 1, mayKeep: false))
    }

    /// The name of the next request, with "!" if it is rejected.
    private func next(
        of held: HeldRequests, at now: Duration = .zero, begin: (RequestSource) -> Bool = { _ in true }
    ) -> String? {
        switch held.next(at: now, begin: { source, _ in begin(source) }) {
        case .answer(let received): received.request.path
        case .reject(let received): received.request.path + "!"
        case nil: nil
        }
    }

    @Test("sources take turns, and the requests of one source keep their order")
    func turns() {
        let held = held()
        for name in ["a1", "a2", "a3"] { #expect(held.add(request(name), of: alice, until: .seconds(1))) }
        for name in ["b1", "b2"] { #expect(held.add(request(name), of: bob, until: .seconds(1))) }
        #expect(held.contains(alice) && held.contains(bob) && !held.isEmpty)
        #expect((0..<5).map { _ in next(of: held) } == ["a1", "b1", "a2", "b2", "a3"])
        #expect(next(of: held) == nil && !held.contains(alice) && held.isEmpty)
    }

    @Test("a source at its limit does not delay another one")
    func limit() {
        let held = held()
        for name in ["a1", "a2"] { #expect(held.add(request(name), of: alice, until: .seconds(1))) }
        #expect(held.add(request("b1"), of: bob, until: .seconds(1)))
        #expect(next(of: held) { $0 == bob } == "b1")
        #expect(next(of: held) { $0 == bob } == nil)
        #expect(next(of: held) == "a1")
    }

    @Test("a request is rejected at its deadline, or when the waits end")
    func deadline() {
        let held = held()
        #expect(held.add(request("a1"), of: alice, until: .seconds(1)))
        #expect(held.add(request("a2"), of: alice, until: .seconds(9)))
        #expect(next(of: held, at: .milliseconds(999)) { _ in false } == nil)
        #expect(next(of: held, at: .seconds(1)) { _ in false } == "a1!")
        #expect(next(of: held, at: .seconds(1)) { _ in false } == nil)
        held.endWaits(at: .seconds(2))
        #expect(next(of: held, at: .seconds(2)) { _ in false } == "a2!")
    }

    @Test(
        "the deadline of the oldest request of each source is announced, and of no more sources than there are places")
    func announcements() throws {
        let board = Scoreboard.inMemory(counters: 0)
        let slot = try #require(board.claim())
        let held = HeldRequests(options: WorkerOptions(), announced: OldestHeldRequests(board: board, slot: slot))
        for (name, seconds) in [("a1", 5), ("a2", 6)] {
            #expect(held.add(request(name), of: alice, until: .seconds(seconds)))
        }
        #expect(held.add(request("b1"), of: bob, until: .seconds(7)))
        #expect(slot.deadline(ofHeld: 1) == 5_000 && slot.deadline(ofHeld: 2) == 7_000)
        #expect(next(of: held) == "a1" && slot.deadline(ofHeld: 1) == 6_000)
        #expect(next(of: held) == "b1" && slot.deadline(ofHeld: 2) == nil)
        for key in 0..<UInt64(ScoreboardLayout.heldSources) {
            #expect(held.add(request("c"), of: RequestSource(key: 100 + key, limit: 1), until: .seconds(8)))
        }
        let announced = (0..<UInt64(ScoreboardLayout.heldSources)).count { slot.deadline(ofHeld: 100 + $0) == 8_000 }
        #expect(announced == ScoreboardLayout.heldSources - 1)
        while next(of: held) != nil {}
        #expect(held.add(request("a3"), of: alice, until: .seconds(9)) && slot.deadline(ofHeld: 1) == 9_000)
    }

    @Test("requests beyond the number or the bytes of their source or of all sources are not added")
    func bounds() {
        let few = held { ($0.heldRequestsOfSource, $0.heldRequests) = (2, 3) }
        #expect((0..<3).map { few.add(request("\($0)"), of: alice, until: .zero) } == [true, true, false])
        #expect((0..<2).map { few.add(request("\($0)"), of: bob, until: .zero) } == [true, false])
        let small = held { ($0.heldBytesOfSource, $0.heldBytes) = (100, 150) }
        func add(_ bytes: Int, of source: RequestSource) -> Bool {
            small.add(request("a", bytes: bytes), of: source, until: .zero)
        }
        #expect([60, 41, 40].map { add($0, of: alice) } == [true, false, true])
        #expect([51, 50].map { add($0, of: bob) } == [false, true])
        #expect(next(of: small) == "a!")
        #expect(add(60, of: alice))
    }
}
