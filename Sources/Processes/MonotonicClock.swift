internal import Glibc

/// The monotonic clock: the time since an unspecified moment before this process began.
public enum MonotonicClock {
    public static var now: Duration {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }
}
