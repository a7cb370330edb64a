internal import Glibc
internal import Threads

/// The one thread of a worker that answers slow requests, one after the other, with its own handler.
///
/// This thread never counts as idle or busy: only the other threads decide whether the worker hands connections over.
enum SlowThread {
    /// The nice value of the thread. At 10 it has a tenth of the other threads' weight when they compete for a
    /// processor, so slow requests use the remaining time and still progress when there is none. Where Linux divides
    /// processors between sessions first (sched(7), autogroup), this holds only among the threads of the pool.
    private static let niceness: Int32 = 10

    /// Starts the thread, which works until the queue is closed and empty.
    static func start(in threads: WorkerThreads) {
        // Inherits the mask of the main thread, see `Worker.run`. A crash handler can thus still stop all threads.
        Thread.start(stackBytes: threads.options.stackBytes, signals: .inherited) {
            run(in: threads)
            threads.threadHasEnded()
        }
    }

    /// Its own function, as in `WorkerThread`.
    private static func run(in threads: WorkerThreads) {
        let handler = threads.makeHandler()
        threads.threadIsReady()
        // Affects this thread alone: on Linux each thread has a nice value (setpriority(2), C library differences).
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
        while let received = threads.slowLane.next() {
            // Under load many clients give up and ask again. Their old requests must not delay the new ones.
            if received.reply.isAwaited {
                threads.answer(received, with: handler)
            } else {
                threads.closeConnection(received.reply.connection)
            }
            threads.slot?.requestDequeued()
        }
    }
}
