internal import CProcesses
internal import Glibc

/// A process that this one has started.
public struct ChildProcess: Sendable, Equatable {
    public let pid: Int32

    /// The reason a program could not be started.
    public struct NotStarted: Error, Equatable {
        public let errno: Int32
    }

    /// Starts a program.
    ///
    /// A program may ask the kernel to end it with its parent. The kernel then takes the calling thread for the parent.
    public init(_ options: LaunchOptions) throws(NotStarted) {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        Self.addDescriptors(options.descriptors, to: &actions)
        if let folder = options.folder { _ = processes_change_folder(&actions, folder) }

        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        Self.resetSignals(&attributes, session: options.session)

        var pid: Int32 = 0
        let result = withCStrings(options.arguments) { arguments in
            withCStrings(options.environment) {
                posix_spawn(&pid, options.executable, &actions, &attributes, arguments, $0)
            }
        }
        guard result == 0 else { throw NotStarted(errno: result) }
        self.pid = pid
    }

    public func send(_ signal: Int32) { kill(pid, signal) }

    /// Returns how the process ended, or nil while it runs. Only the first call after the end returns it.
    public func exit() -> ProcessExit? {
        var status: Int32 = 0
        return waitpid(pid, &status, WNOHANG) == pid ? ProcessExit(waitStatus: status) : nil
    }

    /// Waits until the process has ended, and returns how.
    @discardableResult
    public func waitForExit() -> ProcessExit {
        var status: Int32 = 0
        while waitpid(pid, &status, 0) == -1, errno == EINTR {}
        return ProcessExit(waitStatus: status)
    }

    /// Sets up the descriptors in the order of their numbers and closes all others.
    private static func addDescriptors(
        _ descriptors: [Int32: LaunchOptions.Descriptor], to actions: inout posix_spawn_file_actions_t
    ) {
        for (number, source) in descriptors.sorted(by: { $0.key < $1.key }) {
            switch source {
            case .copy(let own): posix_spawn_file_actions_adddup2(&actions, own, number)
            case .file(let path, let flags): posix_spawn_file_actions_addopen(&actions, number, path, flags, 0o666)
            }
        }
        let highest = descriptors.keys.max() ?? -1
        for number in 0..<max(0, highest) where descriptors[number] == nil {
            // Closing a number that is not open does no harm.
            posix_spawn_file_actions_addclose(&actions, number)
        }
        _ = processes_close_from(&actions, highest + 1)
    }

    /// A child inherits blocked and ignored signals, so they are reset.
    private static func resetSignals(_ attributes: inout posix_spawnattr_t, session: LaunchOptions.Session) {
        var signals = sigset_t()
        sigemptyset(&signals)
        posix_spawnattr_setsigmask(&attributes, &signals)
        sigfillset(&signals)
        posix_spawnattr_setsigdefault(&attributes, &signals)
        let newSession = session == .own ? Int32(processes_new_session) : 0
        posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | newSession))
    }
}

private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    var pointers = strings.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    // The array has an address: it ends with nil, so it is not empty.
    return pointers.withUnsafeMutableBufferPointer { body($0.baseAddress!) }
}
