import CSeccomp
import Glibc
import Synchronization

/// A process that confines itself, as its parent sees it. One thread at a time talks with it; nothing that it does or
/// says harms who talks.
public final class ConfinedProcess: Sendable {
    public let pid: Int32
    private let socket: Int32
    private let state: Mutex<ProcessExit?>

    /// What the process is started from.
    public struct Recipe: Sendable {
        public var executable: String
        /// Its own name, then what it is told.
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

    /// Why there is no answer.
    public enum Silence: Error {
        /// Its end of the way is closed: it ended, or is about to.
        case closed
        case late
        /// What it says is no message, or too long.
        case malformed
    }

    /// Starts the process with an empty environment, in the root folder, with one socket as standard input and output and
    /// nothing else open.
    ///
    /// It ends when the calling thread does (the kernel knows parents as threads).
    public init(_ recipe: Recipe) throws(NotStarted) {
        var pair: (Int32, Int32) = (-1, -1)
        let made = withUnsafeMutableBytes(of: &pair) {
            socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0, $0.bindMemory(to: Int32.self).baseAddress!)  // Two numbers.
        }
        guard made == 0 else { throw NotStarted(description: "no socket: errno \(errno)") }
        defer { close(pair.1) }
        _ = fcntl(pair.0, F_SETFL, O_NONBLOCK)
        do throws(NotStarted) {
            pid = try Self.spawn(recipe, socket: pair.1)
        } catch {
            close(pair.0)
            throw error
        }
        socket = pair.0
        state = Mutex(nil)
    }

    deinit { _ = end() }

    private static func spawn(_ recipe: Recipe, socket: Int32) throws(NotStarted) -> Int32 {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_adddup2(&actions, socket, STDIN_FILENO)
        posix_spawn_file_actions_adddup2(&actions, socket, STDOUT_FILENO)
        // What it has to say of its own end must be possible to write, but is not to be believed.
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        _ = confinement_spawn_close_from(&actions, STDERR_FILENO + 1)
        _ = confinement_spawn_change_folder(&actions, "/")

        // A child inherits blocked and ignored signals; ours are not its.
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))

        var arguments = recipe.arguments.map { strdup($0) } + [nil]
        defer { for argument in arguments { free(argument) } }
        var environment: [UnsafeMutablePointer<CChar>?] = [nil]
        var pid: Int32 = 0
        let result = posix_spawn(&pid, recipe.executable, &actions, &attributes, &arguments, &environment)
        guard result == 0 else { throw NotStarted(description: "\(recipe.executable): errno \(result)") }
        return pid
    }

    // MARK: - Talking

    public func send(_ message: Message, until deadline: SuspendingClock.Instant) throws(Silence) {
        guard let bytes = message.bytes else { throw .malformed }
        var sent = 0
        while sent < bytes.count {
            let count = bytes.withUnsafeBytes {
                Glibc.send(socket, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))  // Not empty.
            }
            if count > 0 { sent += count } else { try wait(for: POLLOUT, until: deadline) }
        }
    }

    /// - Parameter most: bytes of the longest message that is taken.
    public func receive(atMost most: Int, until deadline: SuspendingClock.Instant) throws(Silence) -> Message {
        guard let length = Message.number(try read(4, until: deadline)), length <= most else { throw .malformed }
        guard let message = Message(body: try read(length, until: deadline)) else { throw .malformed }
        return message
    }

    private func read(_ count: Int, until deadline: SuspendingClock.Instant) throws(Silence) -> [UInt8] {
        var silence: Silence?
        // Memory is taken as bytes arrive, not as they are announced.
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let received = recv(socket, buffer.baseAddress! + filled, count - filled, 0)  // Not empty here.
                if received > 0 {
                    filled += received
                    continue
                }
                if received == 0 {
                    silence = .closed
                    return
                }
                do throws(Silence) { try wait(for: POLLIN, until: deadline) } catch {
                    silence = error
                    return
                }
            }
        }
        if let silence { throw silence }
        return bytes
    }

    /// After a call that could not go on: until it may, or not at all.
    private func wait(for event: Int32, until deadline: SuspendingClock.Instant) throws(Silence) {
        guard [EAGAIN, EINTR].contains(errno) else { throw .closed }
        let left = SuspendingClock.now.duration(to: deadline).components
        guard left.seconds >= 0, left.attoseconds >= 0 else { throw .late }
        let milliseconds = Int32(clamping: left.seconds * 1_000 + left.attoseconds / 1_000_000_000_000_000 + 1)
        var polled = pollfd(fd: socket, events: Int16(event), revents: 0)
        _ = poll(&polled, 1, milliseconds)
    }

    /// Whether it is there and has said nothing unasked.
    public var isQuiet: Bool {
        var polled = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
        return poll(&polled, 1, 0) == 0
    }

    // MARK: - The end

    /// How it ended, if by itself; ends it if not. The same again tells the same.
    ///
    /// - Parameter patience: how long it is waited for; a process whose end of the socket is closed may take a moment.
    @discardableResult
    public func end(after patience: Duration = .zero) -> ProcessExit {
        state.withLock { end in
            if let end { return end }
            let found = awaitEnd(patience) ?? kill()
            close(socket)
            end = found
            return found
        }
    }

    /// Kills it, for another thread that talks with it to find out. What that thread holds stays open until it has.
    public func interrupt() {
        state.withLock { if $0 == nil { _ = Glibc.kill(pid, SIGKILL) } }
    }

    private func awaitEnd(_ patience: Duration) -> ProcessExit? {
        let deadline = SuspendingClock.now + patience
        var status: Int32 = 0
        while true {
            if waitpid(pid, &status, WNOHANG) == pid { return ProcessExit(waitStatus: status) }
            guard SuspendingClock.now < deadline else { return nil }
            usleep(1_000)
        }
    }

    private func kill() -> ProcessExit {
        var status: Int32 = 0
        Glibc.kill(pid, SIGKILL)
        while waitpid(pid, &status, 0) == -1, errno == EINTR {}
        return .ended
    }
}
