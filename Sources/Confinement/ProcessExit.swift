import CSeccomp
import Glibc

/// How a confined process ended.
public enum ProcessExit: Equatable, Sendable, CustomStringConvertible {
    /// It came to its limit of memory.
    case outOfMemory
    /// It came to its limit of processor time.
    case outOfTime
    case exited(Int32)
    case signalled(Int32)
    /// It was ended by us.
    case ended

    init(waitStatus status: Int32) {
        // wait(2): the low seven bits tell the signal, the next byte the exit status.
        let signal = status & 0x7f
        self =
            switch (signal, status >> 8 & 0xff) {
            case (0, Int32(confinement_over_memory)): .outOfMemory
            case (0, Int32(confinement_over_time)): .outOfTime
            case (0, let code): .exited(code)
            default: .signalled(signal)
            }
    }

    public var description: String {
        switch self {
        case .outOfMemory: "ran out of its memory"
        case .outOfTime: "ran out of its time"
        case .exited(let code): "left with status \(code)"
        case .signalled(SIGSYS): "was ended for a system call it may not make"
        case .signalled(let signal): "was ended by signal \(signal) (\(String(cString: strsignal(signal))))"
        case .ended: "was ended"
        }
    }
}
