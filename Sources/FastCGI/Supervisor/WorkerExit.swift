/// How a worker process ended.
public enum WorkerExit: Sendable, Equatable {
    case status(Int32)
    case signal(Int32)

    /// Decodes the status of wait(2). The low seven bits are the signal. If they are 0, the next byte is the exit
    /// status.
    init(waitStatus: Int32) {
        let signal = waitStatus & 0x7f
        self = signal == 0 ? .status((waitStatus >> 8) & 0xff) : .signal(signal)
    }
}
