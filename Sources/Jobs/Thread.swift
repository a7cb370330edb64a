import Glibc

/// A plain thread: blocking work stays off Swift's cooperative pool.
public enum Thread {
    /// Bytes of stack. Extraction walks without recursion; this is room to spare.
    private static let stackSize = 2 << 20

    /// Starts a thread that runs `body` and ends. All signals are blocked on it: they are the main thread's to take, whether
    /// that has begun to wait for them or not.
    public static func start(_ body: @escaping @Sendable () -> Void) {
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        pthread_attr_setstacksize(&attributes, stackSize)
        pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
        defer { pthread_attr_destroy(&attributes) }
        // A thread begins with the mask of the one that starts it.
        var (all, usual) = (sigset_t(), sigset_t())
        sigfillset(&all)
        pthread_sigmask(SIG_SETMASK, &all, &usual)
        defer { pthread_sigmask(SIG_SETMASK, &usual, nil) }
        let box = Unmanaged.passRetained(Box(body))
        var thread = pthread_t()
        let status = pthread_create(
            &thread, &attributes,
            { raw in
                // The pointer is the box retained below, handed over exactly once.
                let box = Unmanaged<Box>.fromOpaque(raw!).takeRetainedValue()
                box.body()
                return nil
            }, box.toOpaque())
        precondition(status == 0, "the system has no thread left")
    }

    private final class Box: Sendable {
        let body: @Sendable () -> Void
        init(_ body: @escaping @Sendable () -> Void) { self.body = body }
    }
}

/// A condition that any thread may wait for and any may announce a change of.
public final class WakeUp: @unchecked Sendable {
    // Unchecked: mutex and condition are made for many threads, and live as long as this object.
    private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
    private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

    public init() {
        pthread_mutex_init(mutex, nil)
        var attributes = pthread_condattr_t()
        pthread_condattr_init(&attributes)
        pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
        pthread_cond_init(condition, &attributes)
        pthread_condattr_destroy(&attributes)
    }

    deinit {
        pthread_cond_destroy(condition)
        pthread_mutex_destroy(mutex)
        condition.deallocate()
        mutex.deallocate()
    }

    /// Wakes every waiting thread to look again.
    public func all() {
        pthread_mutex_lock(mutex)
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Waits until woken or for so long; returns at once when `isDone` says so already.
    public func wait(milliseconds: Int, unless isDone: () -> Bool) {
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        let nanoseconds = deadline.tv_nsec + (milliseconds % 1_000) * 1_000_000
        deadline.tv_sec += milliseconds / 1_000 + nanoseconds / 1_000_000_000
        deadline.tv_nsec = nanoseconds % 1_000_000_000
        pthread_mutex_lock(mutex)
        // Asked under the lock: a change announced before it would otherwise be slept through.
        if !isDone() { pthread_cond_timedwait(condition, mutex, &deadline) }
        pthread_mutex_unlock(mutex)
    }
}
