/// How a process ended.
public enum ProcessExit: Sendable, Equatable {
    case status(Int32)
    case signal(Int32)

    /// Decodes the status of wait(2). The low seven bits are the signal. If they are 0, the next byte is the exit
    /// status.
    public init(waitStatus: Int32) {
        let signal = waitStatus & 0x7f
        self = signal == 0 ? .status((waitStatus >> 8) & 0xff) : .signal(signal)
    }

    /// The status that a shell shows: that of the process, or 128 plus the signal.
    public var shellStatus: Int32 {
        switch self {
        case .status(let status): status
        case .signal(let signal): 128 + signal
        }
    }
}
