import Glibc
import Processes

extension ChildProcess.LaunchOptions {
    /// How a service is started: without privileges, in a session of its own, so that Ctrl-C in a terminal reaches only
    /// deploy/run and the stop order holds, and with a signal that the kernel sends it when the supervisor dies.
    ///
    /// - Parameter supervisor: the user id of this process.
    init(_ service: Service, in home: HomeFolder, environment: [String], supervisor: UInt32 = geteuid()) {
        let launcher = service.launcher + ["--pdeathsig", service.deathSignal.rawValue]
        var command = service.command
        // /proc hides the folder and the program of a process whose memory is hidden from all but root, but not its
        // arguments. Root starts services by relative paths, because their users may be unable to reach the home.
        if supervisor != 0, !command.isEmpty { command[0] = home.program(command[0]) }
        self.init(executable: launcher[0], arguments: launcher + command, environment: environment)
        let appending = O_WRONLY | O_APPEND | O_CREAT
        descriptors = [
            STDIN_FILENO: .file("/dev/null", flags: O_RDONLY),
            STDOUT_FILENO: .file(home.logFile(of: service.name), flags: appending),
            STDERR_FILENO: .file(home.logFile(of: service.name), flags: appending),
        ]
        folder = home.path
        if let data = service.dataFolder {
            descriptors[9] = .file("\(home.path)/\(data)", flags: O_RDONLY | O_DIRECTORY)
            folder = "/"
        }
        session = .own
    }

    /// How the check whether a service can be used is started: with the supervisor's own output.
    init(checkOf service: Service, in home: HomeFolder) {
        self.init(
            executable: home.program(service.readyCheck[0]), arguments: service.readyCheck,
            environment: ServiceEnvironment.common)
        descriptors = [
            STDIN_FILENO: .file("/dev/null", flags: O_RDONLY), STDOUT_FILENO: .copy(STDOUT_FILENO),
            STDERR_FILENO: .copy(STDERR_FILENO),
        ]
        folder = home.path
    }
}
