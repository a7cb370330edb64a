import Glibc

/// Recognises the processes of a service, whatever their parent: by program, working folder and user. Where the kernel
/// hides program and folder, the first argument names both; see `ServiceLaunch`.
struct ServiceProcesses {
    /// The working folder of all its processes.
    let folder: String
    private let user: UInt32
    private let programs: [String]
    private let helpers: [String]
    /// What the arguments of the command begin with, such as `jobs run`.
    private let subcommand: [String]

    init(of service: Service, in home: HomeFolder) {
        folder = service.dataFolder.map { "\(home.path)/\($0)" } ?? home.path
        user = service.user
        programs = service.command.prefix(1).map { Self.canonical(home.program($0)) }
        helpers = service.helpers.map { Self.canonical(home.program($0)) }
        subcommand = service.command.dropFirst().prefix { !$0.hasPrefix("-") }
    }

    /// The living processes of the service.
    func find() -> [ListedProcess] { ListedProcess.all(in: folder).filter(includes) }

    func includes(_ process: ListedProcess) -> Bool {
        guard process.user == user, process.folder == folder || process.folder == nil,
            let program = process.folder == nil ? process.arguments.first : process.program
        else { return false }
        if helpers.contains(program) { return true }
        return programs.contains(program) && process.arguments.dropFirst().starts(with: subcommand)
    }

    /// The processes whose parent is not among them. Children end with their parent, and those of PostgreSQL interpret
    /// the same signal differently.
    static func topmost(_ processes: [ListedProcess]) -> [ListedProcess] {
        let pids = Set(processes.map(\.pid))
        return processes.filter { !pids.contains($0.parent) }
    }

    /// /proc shows a program by its path without symbolic links.
    private static func canonical(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
