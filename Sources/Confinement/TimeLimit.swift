import CSeccomp
import Glibc

/// The time limit of one piece of work. The process ends when the time is used up.
public enum TimeLimit {
    /// - Parameter seconds: the processor time, so that other load on the machine does not count.
    public static func start(seconds: Int) {
        // errno at a fault must be from this piece of work.
        errno = 0
        _ = confinement_set_timer(Int32(clamping: seconds))
    }

    public static func stop() { _ = confinement_set_timer(0) }
}
