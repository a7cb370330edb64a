import Glibc
import Processes

extension ServiceSupervisor {
    /// Supervises the services of a home until a signal stops them. Returns the exit status.
    ///
    /// The main thread must call it before it starts other threads: services end with the thread that started them.
    public static func run(home path: String) throws(HomeFailure) -> Int32 {
        let home = try open(path)
        // The kernel releases the lock when this process ends.
        try takeLock(of: home)
        // A signal that arrives from here on waits until it can be handled.
        let signals = SignalQueue([SIGTERM, SIGINT, SIGHUP, SIGCHLD])
        guard home.writeIdentity() else { throw .unwritable(home.identityFile, errno: errno) }
        umask(0o027)
        raiseFileLimit()
        let table: ServiceTable
        do throws(TableError) { table = try home.readTable() } catch {
            home.setFailed(error)
            SupervisorLog()("the table of services cannot be used: \(error)")
            unlink(home.identityFile)
            return 1
        }
        return ServiceSupervisor(home: home, table: table, signals: signals).run()
    }

    /// The table of a home names programs that are run with the supervisor's rights, so it must be the caller's own.
    private static func open(_ path: String) throws(HomeFailure) -> HomeFolder {
        var status = stat()
        guard let real = realpath(path, nil) else { throw .noHome(path) }
        defer { free(real) }
        let home = HomeFolder(path: String(cString: real))
        guard stat(home.path + "/run", &status) == 0, chdir(home.path) == 0 else { throw .noHome(path) }
        guard stat(home.path, &status) == 0, status.st_uid == geteuid() else { throw .otherOwner(path) }
        return home
    }

    private static func takeLock(of home: HomeFolder) throws(HomeFailure) {
        let lock = Glibc.open(home.lockFile, O_RDWR | O_CREAT | O_CLOEXEC, 0o644)
        guard lock >= 0 else { throw .unwritable(home.lockFile, errno: errno) }
        guard flock(lock, LOCK_EX | LOCK_NB) == 0 else { throw .alreadyRunning }
    }

    /// nginx and the database hold many connections.
    private static func raiseFileLimit() {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    }
}
