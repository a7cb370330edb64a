internal import CProcesses
internal import Glibc

/// Delivers signals one by one to the thread that waits for them, so that they never interrupt another thread.
public struct SignalQueue: Sendable {
    private let descriptor: Int32

    /// Blocks the signals for this thread and for all threads it starts later. A blocked signal is delivered even if it
    /// was ignored when this process started, as under `nohup`.
    public init(_ numbers: [Int32]) {
        var set = sigset_t()
        sigemptyset(&set)
        for number in numbers { sigaddset(&set, number) }
        pthread_sigmask(SIG_BLOCK, &set, nil)
        descriptor = signalfd(-1, &set, Int32(SFD_CLOEXEC) | Int32(SFD_NONBLOCK))
        precondition(descriptor >= 0, "signalfd failed: errno \(errno)")
    }

    /// Returns the next signal, or nil when the other descriptor became readable or the time passed first.
    /// Without a time it waits indefinitely.
    public func next(orReadable other: Int32?, within time: Duration?) -> Int32? {
        var watched = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
        if let other { watched.append(pollfd(fd: other, events: Int16(POLLIN), revents: 0)) }
        let wait: Int32 =
            time.map {
                Int32(
                    clamping: max(
                        0,
                        $0.components.seconds * 1_000
                            + $0.components.attoseconds / 1_000_000_000_000_000 + 1))
            } ?? -1
        poll(&watched, nfds_t(watched.count), wait)
        var info = signalfd_siginfo()
        let size = MemoryLayout<signalfd_siginfo>.size
        return read(descriptor, &info, size) == size ? Int32(info.ssi_signo) : nil
    }
}
