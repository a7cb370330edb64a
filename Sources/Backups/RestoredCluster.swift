import Folders
import Glibc
import Postgres
import Processes

/// A new cluster of PostgreSQL, as deploy/run makes it, into which a backup is restored. It runs on a socket that no other
/// user reaches, and nothing has to be on disk before it has stopped.
///
/// PostgreSQL's user may be unable to reach the data folder by its path, so the folder is passed as an open descriptor,
/// as in deploy/lib/cluster.sh.
final class RestoredCluster {
    private let data: String
    let programs: PostgresPrograms
    private let user: ServiceUser?
    private var server: ChildProcess?
    private let errors = TemporaryFile.open()
    /// The folder of the socket.
    let sockets: String

    /// The system user of the database when root restores; see deploy/lib/home.sh.
    struct ServiceUser {
        var uid: uid_t
        var gid: gid_t

        static let name = "lectern-db"

        /// - Returns: nil where PostgreSQL runs as the user of this process.
        static func current() throws(BackupError) -> ServiceUser? {
            guard geteuid() == 0 else { return nil }
            guard let entry = getpwnam(name) else { throw .noServiceUser }
            return ServiceUser(uid: entry.pointee.pw_uid, gid: entry.pointee.pw_gid)
        }
    }

    private static let folderNumber: Int32 = 9
    private static let dataPath = "/proc/self/fd/\(folderNumber)"
    /// Nothing of a restore that did not end is kept, so nothing has to survive a crash.
    private static let speed = [
        "fsync=off", "full_page_writes=off", "synchronous_commit=off", "wal_level=minimal", "max_wal_senders=0",
        "archive_mode=off", "autovacuum=off", "maintenance_work_mem=256MB", "max_wal_size=4GB", "shared_buffers=256MB",
        "listen_addresses=", "log_error_verbosity=terse", "log_min_error_statement=panic", "jit=off",
    ]

    /// Creates the cluster.
    ///
    /// - Parameters:
    ///   - data: the path of its folder, which does not exist.
    ///   - version: the major version of the server that wrote the dump; an older one cannot read it.
    init(in data: String, atLeast version: Int) throws {
        self.data = data
        user = try ServiceUser.current()
        programs = try PostgresPrograms.newest(with: "initdb")
        guard programs.version >= version else { throw BackupError.noProgram("initdb of PostgreSQL \(version)") }
        var template = Array("/tmp/lectern-restore-XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw BackupError.file("/tmp", call: "mkdtemp", code: errno) }
        sockets = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        guard mkdir(data, 0o700) == 0 else { throw BackupError.file(data, call: "mkdir", code: errno) }
        for folder in [data, sockets] { own(folder) }
        try initialise()
    }

    deinit {
        if let server {
            server.send(SIGQUIT)
            server.waitForExit()
        }
        for name in Folder.names(in: sockets) { unlink("\(sockets)/\(name)") }
        rmdir(sockets)
        close(errors)
    }

    private func own(_ path: String) {
        if let user { _ = lchown(path, user.uid, user.gid) }
    }

    private func initialise() throws {
        let initdb = try start(
            "initdb",
            [
                "--pgdata=\(Self.dataPath)", "--username=\(RolesDump.bootstrap)", "--encoding=UTF8", "--locale=C.UTF-8",
                "--data-checksums", "--auth=reject", "--no-instructions", "--no-sync",
            ])
        guard initdb.waitForExit() == .status(0) else { throw failure(of: "initdb") }
        try write(
            "# PostgreSQL listens only on the unix socket; the second line applies if an admin adds another listener.\n"
                + "local all all scram-sha-256\nhost all all all scram-sha-256\n", to: "pg_hba.conf", O_TRUNC)
        try write("include_if_exists 'lectern.conf'\n", to: "postgresql.conf", O_APPEND)
    }

    /// Writes to a file of the data folder, which keeps its owner.
    func write(_ text: String, to name: String, _ flags: Int32) throws(BackupError) {
        let path = "\(data)/\(name)"
        let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW | flags, 0o600)
        guard file >= 0 else { throw .file(path, call: "open", code: errno) }
        defer { close(file) }
        do throws(WriteFailure) { try Descriptor.write(Array(text.utf8)[...], to: file) } catch {
            throw .file(path, call: "write", code: error.code)
        }
    }

    /// Starts the server and waits until it answers.
    func start() throws {
        let access = "\(sockets)/hba.conf"
        guard let file = fopen(access, "w") else { throw BackupError.file(access, call: "open", code: errno) }
        fputs("local all \(RolesDump.bootstrap) trust\n", file)
        fclose(file)
        own(access)
        let settings = Self.speed + ["unix_socket_directories=\(sockets)", "hba_file=\(access)"]
        let server = try start("postgres", ["-D", Self.dataPath] + settings.flatMap { ["-c", $0] })
        self.server = server
        for _ in 0..<1_200 {
            if (try? connection(to: "postgres")) != nil { return }
            if server.exit() != nil {
                self.server = nil
                throw failure(of: "postgres")
            }
            usleep(50_000)
        }
        throw failure(of: "postgres")
    }

    func conninfo(of database: String) -> String {
        "host=\(sockets) user=\(RolesDump.bootstrap) dbname=\(database) client_encoding=UTF8"
    }

    func connection(to database: String) throws(PostgresError) -> Connection {
        try Connection(conninfo(of: database))
    }

    /// Stops the server in order and writes everything to disk.
    func stop() throws(BackupError) {
        guard let server else { return }
        self.server = nil
        server.send(SIGINT)
        guard server.waitForExit() == .status(0) else { throw failure(of: "postgres") }
    }

    private func failure(of program: String) -> BackupError {
        .program(program, said: TemporaryFile.reason(in: errors))
    }

    /// Starts a program as PostgreSQL's user, without privileges, in a session that signals of the terminal do not reach.
    /// It ends if this process does.
    private func start(_ program: String, _ arguments: [String]) throws(BackupError) -> ChildProcess {
        let folder = open(data, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw .file(data, call: "open", code: errno) }
        defer { close(folder) }
        // Numbers above those that the program gets.
        let copies = [folder, errors].map { fcntl($0, F_DUPFD_CLOEXEC, 64) }
        defer { for copy in copies { close(copy) } }
        var launcher = ["setpriv", "--no-new-privs", "--pdeathsig", "INT"]
        if let user {
            launcher += ["--reuid", "\(user.uid)", "--regid", "\(user.gid)", "--init-groups", "--inh-caps=-all"]
        }
        var options = ChildProcess.LaunchOptions(
            executable: "/usr/bin/setpriv", arguments: launcher + [programs.path(of: program)] + arguments,
            environment: Programs.environment)
        options.descriptors = [
            0: .file("/dev/null", flags: O_RDONLY), 1: .copy(copies[1]), 2: .copy(copies[1]),
            Self.folderNumber: .copy(copies[0]),
        ]
        options.folder = "/"
        options.session = .own
        do throws(ChildProcess.NotStarted) { return try ChildProcess(options) } catch {
            throw .program(program, said: String(cString: strerror(error.errno)))
        }
    }
}
