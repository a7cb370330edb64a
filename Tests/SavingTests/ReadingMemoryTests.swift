import Glibc
import Synchronization
import Testing

@testable import Saving

@Suite("Saving / memory of reading", .timeLimit(.minutes(1)))
struct ReadingMemoryTests {
    @Test("what fits goes in side by side, what does not waits for its turn, and nobody overtakes")
    func line() {
        var ledger = ReadingMemory.Ledger(bytes: 100)
        let tickets = [40, 40, 90, 10].map { ledger.arrive($0) }
        func admit(_ place: Int) -> Bool { ledger.admit(tickets[place]) }
        #expect(!admit(1), "the first comes first")
        #expect(admit(0) && admit(1))
        #expect(!admit(2) && !admit(3))
        ledger.leave(tickets[0])
        #expect(!admit(2))
        ledger.leave(tickets[1])
        #expect(admit(2) && admit(3))
        #expect(ledger.free == 0)
    }

    @Test("a page that wants more than there is gets all of it, alone")
    func tooMuch() {
        var ledger = ReadingMemory.Ledger(bytes: 100)
        let (large, small) = (ledger.arrive(1_000), ledger.arrive(1))
        func admit(_ ticket: ReadingMemory.Ledger.Ticket) -> Bool { ledger.admit(ticket) }
        #expect(admit(large) && !admit(small))
        ledger.leave(large)
        #expect(ledger.free == 100 && admit(small))
    }

    @Test("of the largest pages one is read at a time, of half a megabyte all")
    func pages() {
        func admitted(_ bytes: Int) -> Int {
            var ledger = ReadingMemory.Ledger(bytes: 512 << 20)
            return (0..<16).count { _ in
                let ticket = ledger.arrive(ReadPage.memoryPerByte * bytes)
                return ledger.admit(ticket)
            }
        }
        #expect(admitted(20_000_000) == 1)
        #expect(admitted(500_000) == 16)
    }

    private final class Held: Sendable {
        let sums = Mutex((now: 0, most: 0, done: 0))

        func hold(_ bytes: Int) {
            sums.withLock { sums in
                sums.now += bytes
                sums.most = max(sums.most, sums.now)
            }
            sched_yield()
            sums.withLock { sums in
                sums.now -= bytes
                sums.done += 1
            }
        }
    }

    @Test("threads together never hold more than there is, and all get through")
    func threads() async {
        let (memory, held) = (ReadingMemory(bytes: 100), Held())
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<32 {
                let bytes = [10, 30, 60, 100][number % 4]
                group.addTask { memory.reserving(bytes) { held.hold(bytes) } }
            }
        }
        let (now, most, done) = held.sums.withLock { $0 }
        #expect(now == 0 && most <= 100 && done == 32)
    }
}
