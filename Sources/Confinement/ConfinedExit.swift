import CSeccomp
import Glibc
import Processes

/// How a confined process ended.
public enum ConfinedExit: Equatable, Sendable, CustomStringConvertible {
    /// The process reached its memory limit.
    case outOfMemory
    /// The process reached its limit of processor time.
    case outOfTime
    case exited(Int32)
    case signalled(Int32)
    /// The parent ended the process.
    case ended

    init(_ exit: ProcessExit) {
        self =
            switch exit {
            case .status(Int32(confinement_over_memory)): .outOfMemory
            case .status(Int32(confinement_over_time)): .outOfTime
            case .status(let status): .exited(status)
            case .signal(let signal): .signalled(signal)
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
