import Jobs
import Synchronization

/// The memory that all pages being read at the same time may take together.
///
/// A page reserves the most its parse may take and waits, first come, first served, until so much is free: many small
/// pages are read side by side, of the largest one at a time. Without it, each thread may have its own largest page.
final class ReadingMemory: Sendable {
    private let ledger: Mutex<Ledger>
    private let wakeUp = WakeUp()

    /// - Parameter bytes: 512 MiB hold the largest page and four of half a megabyte.
    init(bytes: Int = 512 << 20) { ledger = Mutex(Ledger(bytes: bytes)) }

    /// Runs `body` once so many bytes are free, and frees them after it. What is more than there is takes all of it.
    func reserving<Result, Failure: Error>(
        _ bytes: Int, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let ticket = ledger.withLock { $0.arrive(bytes) }
        while !ledger.withLock({ $0.admit(ticket) }) {
            wakeUp.wait(milliseconds: 1_000) { ledger.withLock { $0.isNext(ticket) } }
        }
        // The next in line may fit in too.
        wakeUp.all()
        defer {
            ledger.withLock { $0.leave(ticket) }
            wakeUp.all()
        }
        return try body()
    }

    /// Who has what, and who waits for it. A value: time and threads are outside.
    struct Ledger {
        struct Ticket: Equatable {
            fileprivate var number: Int
            fileprivate var bytes: Int
        }

        private let bytes: Int
        private(set) var free: Int
        private var waiting: [Ticket] = []
        private var issued = 0

        init(bytes: Int) {
            self.bytes = bytes
            free = bytes
        }

        mutating func arrive(_ wanted: Int) -> Ticket {
            issued += 1
            let ticket = Ticket(number: issued, bytes: min(wanted, bytes))
            waiting.append(ticket)
            return ticket
        }

        /// First in line, and enough is free. Nobody overtakes, so that a large page gets its turn.
        func isNext(_ ticket: Ticket) -> Bool { waiting.first == ticket && ticket.bytes <= free }

        mutating func admit(_ ticket: Ticket) -> Bool {
            guard isNext(ticket) else { return false }
            waiting.removeFirst()
            free -= ticket.bytes
            return true
        }

        mutating func leave(_ ticket: Ticket) { free += ticket.bytes }
    }
}
