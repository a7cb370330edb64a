import Glibc
import Realtime

/// Reads the clocks.
enum Clock {
    static var now: Moment {
        let (real, monotonic) = (time(CLOCK_REALTIME), time(CLOCK_MONOTONIC))
        return Moment(
            microseconds: real.tv_sec * 1_000_000 + real.tv_nsec / 1_000,
            uptime: monotonic.tv_sec * 1_000 + monotonic.tv_nsec / 1_000_000)
    }

    /// Seconds since 1970.
    static var epoch: Int { time(CLOCK_REALTIME).tv_sec }

    private static func time(_ clock: clockid_t) -> timespec {
        var time = timespec()
        clock_gettime(clock, &time)
        return time
    }
}
