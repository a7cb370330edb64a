import CSeccomp
import Glibc
import Processes
import Synchronization

/// A process that confines itself, from its parent's point of view. One thread at a time communicates with it. Nothing
/// that the process does or sends can harm that thread.
public final class ConfinedProcess: Sendable {
    private let process: ChildProcess
    private let socket: Int32
    private let state: Mutex<ConfinedExit?>

    /// How the process is started.
    public struct LaunchOptions: Sendable {
        public var executable: String
        /// The program's name, followed by its arguments.
        public var arguments: [String]

        public init(executable: String, arguments: [String]) {
            self.executable = executable
            self.arguments = arguments
        }
    }

    public struct NotStarted: Error, CustomStringConvertible {
        public var description: String

        public init(description: String) { self.description = description }
    }

    /// The reason a message could not be sent or received.
    public enum MessageError: Error {
        /// The process has closed the socket: it has ended or is about to end.
        case closed
        /// The deadline has passed.
        case timedOut
        /// The bytes are not a message, or the message is too long.
        case malformed
    }

    /// Starts the process with an empty environment, in the root folder, with one socket as standard input and output
    /// and no other open descriptor.
    ///
    /// The process ends with the calling thread, because the kernel treats that thread as its parent.
    public init(_ options: LaunchOptions) throws(NotStarted) {
        var pair: (Int32, Int32) = (-1, -1)
        let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
        let made = withUnsafeMutableBytes(of: &pair) {
            // The buffer has an address: it holds two numbers.
            socketpair(AF_UNIX, kind, 0, $0.bindMemory(to: Int32.self).baseAddress!)
        }
        guard made == 0 else { throw NotStarted(description: "socketpair failed: errno \(errno)") }
        defer { close(pair.1) }
        _ = fcntl(pair.0, F_SETFL, O_NONBLOCK)
        do throws(NotStarted) {
            process = try Self.start(options, socket: pair.1)
        } catch {
            close(pair.0)
            throw error
        }
        socket = pair.0
        state = Mutex(nil)
    }

    deinit { _ = end() }

    private static func start(_ options: LaunchOptions, socket: Int32) throws(NotStarted) -> ChildProcess {
        var launch = ChildProcess.LaunchOptions(executable: options.executable, arguments: options.arguments)
        launch.descriptors = [
            STDIN_FILENO: .copy(socket), STDOUT_FILENO: .copy(socket),
            // The process must be able to write messages about a crash, but these cannot be trusted.
            STDERR_FILENO: .file("/dev/null", flags: O_WRONLY),
        ]
        launch.folder = "/"
        do throws(ChildProcess.NotStarted) {
            return try ChildProcess(launch)
        } catch {
            throw NotStarted(description: "\(options.executable): errno \(error.errno)")
        }
    }

    // MARK: - Messages

    public func send(_ message: Message, until deadline: SuspendingClock.Instant) throws(MessageError) {
        guard let bytes = message.bytes else { throw .malformed }
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                // The buffer has an address: a message is never empty.
                Glibc.send(socket, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
            }
            if count > 0 { sent += count } else { try wait(for: POLLOUT, until: deadline) }
        }
    }

    /// - Parameter most: the length of the longest accepted message, in bytes.
    public func receive(atMost most: Int, until deadline: SuspendingClock.Instant) throws(MessageError) -> Message {
        guard let length = Message.number(try read(4, until: deadline)), length <= most else { throw .malformed }
        guard let message = Message(body: try read(length, until: deadline)) else { throw .malformed }
        return message
    }

    private func read(_ count: Int, until deadline: SuspendingClock.Instant) throws(MessageError) -> [UInt8] {
        var failure: MessageError?
        // The pages of the buffer are used only as bytes arrive, not when their number is announced.
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                // The buffer has an address: the loop runs only when `count` is above 0.
                let received = recv(socket, buffer.baseAddress! + filled, count - filled, 0)
                if received > 0 {
                    filled += received
                    continue
                }
                if received == 0 {
                    failure = .closed
                    return
                }
                do throws(MessageError) { try wait(for: POLLIN, until: deadline) } catch {
                    failure = error
                    return
                }
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Waits until a call that would have blocked can be repeated. Throws if it cannot.
    private func wait(for event: Int32, until deadline: SuspendingClock.Instant) throws(MessageError) {
        guard [EAGAIN, EINTR].contains(errno) else { throw .closed }
        let left = SuspendingClock.now.duration(to: deadline).components
        guard left.seconds >= 0, left.attoseconds >= 0 else { throw .timedOut }
        let milliseconds = Int32(clamping: left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000 + 1)
        var polled = pollfd(fd: socket, events: Int16(event), revents: 0)
        _ = poll(&polled, 1, milliseconds)
    }

    /// Whether the process runs and has sent nothing unexpectedly.
    public var isQuiet: Bool {
        var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) == 0
    }

    // MARK: - Ending

    /// Returns how the process ended by itself. Otherwise kills it. Further calls return the same result.
    ///
    /// - Parameter patience: how long to wait. A process that has closed its socket may need a moment to end.
    @discardableResult
    public func end(after patience: Duration = .zero) -> ConfinedExit {
        state.withLock { end in
            if let end { return end }
            let found = awaitEnd(patience) ?? kill()
            close(socket)
            end = found
            return found
        }
    }

    /// Kills the process while another thread communicates with it. That thread notices. The socket stays open until
    /// then.
    public func interrupt() {
        state.withLock { if $0 == nil { process.send(SIGKILL) } }
    }

    private func awaitEnd(_ patience: Duration) -> ConfinedExit? {
        let deadline = SuspendingClock.now + patience
        while true {
            if let exit = process.exit() { return ConfinedExit(exit) }
            guard SuspendingClock.now < deadline else { return nil }
            usleep(1_000)
        }
    }

    private func kill() -> ConfinedExit {
        process.send(SIGKILL)
        process.waitForExit()
        return .ended
    }
}
