internal import Glibc
internal import Threads

/// The one thread of a worker that answers slow requests, one after the other, with a handler of its own.
///
/// It is nobody's idle thread: the worker is as busy or free without it, and passes connections on by what the
/// others do.
enum SlowThread {
    /// How much the thread stands back behind the others. At 10 it has a tenth of their weight for a processor they
    /// want too, so slow requests take what time is left and still go on when there is none. Where Linux shares
    /// processors between sessions first (sched(7), autogroup), this holds among the threads of the pool only.
    private static let niceness: Int32 = 10

    /// Starts the thread, which works until the lane is closed and empty.
    static func start(in crew: WorkerThreads) {
        Thread.start(stackBytes: crew.options.stackBytes) {
            live(in: crew)
            crew.threadIsGone()
        }
    }

    /// Its own function, as in `WorkerThread`.
    private static func live(in crew: WorkerThreads) {
        let handler = crew.makeHandler()
        crew.threadIsReady()
        // Of this thread alone: on Linux a nice value is a thread's (setpriority(2), C library differences).
        setpriority(__priority_which_t(PRIO_PROCESS.rawValue), 0, niceness)
        while let received = crew.slowLane.next() {
            // In a crowd many give up waiting, and come again: their old requests must not hold up the new ones.
            if received.reply.isAwaited {
                crew.answer(received, with: handler)
            } else {
                crew.end(received.reply.connection)
            }
            crew.slot?.requestHasWaited()
        }
    }
}
