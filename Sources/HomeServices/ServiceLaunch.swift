import Glibc
import Processes

extension ChildProcess.LaunchOptions {
    /// How a service is started: without privileges, in a session of its own, so that Ctrl-C in a terminal reaches only
    /// deploy/run and the stop order holds, and with a signal that the kernel sends it when the supervisor dies.
    init(_ service: Service, _ table: ServiceTable, in home: HomeFolder, environment: [String]) {
        let launcher = table.launcher + ["--pdeathsig", service.deathSignal.rawValue]
        self.init(executable: launcher[0], arguments: launcher + service.command, environment: environment)
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
