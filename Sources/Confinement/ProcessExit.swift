import CSeccomp
import Glibc

/// How a confined process ended.
public enum ProcessExit: Equatable, Sendable, CustomStringConvertible {
    /// The process reached its memory limit.
    case outOfMemory
    /// The process reached its limit of processor time.
    case outOfTime
    case exited(Int32)
    case signalled(Int32)
    /// The parent ended the process.
    case ended

    init(waitStatus status: Int32) {
        // wait(2): the low seven bits are the signal, the next byte is the exit status.
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
        case .outOfMemory: "exceeded its memory limit"
        case .outOfTime: "exceeded its time limit"
        case .exited(let code): "exited with status \(code)"
        case .signalled(SIGSYS): "was killed for a forbidden system call"
        case .signalled(let signal): "was killed by signal \(signal) (\(String(cString: strsignal(signal))))"
        case .ended: "was ended"
        }
    }
}
