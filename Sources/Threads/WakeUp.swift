import Glibc

/// A condition variable: threads wait on it until another thread announces a change.
public final class WakeUp: @unchecked Sendable {
    // Unchecked: pthread mutexes and conditions are made for use by many threads, and both live as long as this object.
    // They are on the heap because their addresses must not change. The pointers never change.
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

    /// Wakes every waiting thread.
    public func all() {
        pthread_mutex_lock(mutex)
        pthread_cond_broadcast(condition)
        pthread_mutex_unlock(mutex)
    }

    /// Waits until `all` is called or the time has passed. Returns at once if `isDone` already returns true. The wait
    /// may also end early, so the caller checks its condition again.
    public func wait(milliseconds: Int, unless isDone: () -> Bool) {
        var deadline = timespec()
        clock_gettime(CLOCK_MONOTONIC, &deadline)
        let nanoseconds = deadline.tv_nsec + (milliseconds % 1_000) * 1_000_000
        deadline.tv_sec += milliseconds / 1_000 + nanoseconds / 1_000_000_000
        deadline.tv_nsec = nanoseconds % 1_000_000_000
        pthread_mutex_lock(mutex)
        // Checked under the lock: otherwise this thread would sleep through a change announced just before the wait.
        if !isDone() { pthread_cond_timedwait(condition, mutex, &deadline) }
        pthread_mutex_unlock(mutex)
    }
}
