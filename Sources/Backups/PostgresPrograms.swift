import Folders
import Glibc
import Postgres
import Processes

/// The programs of a version of PostgreSQL, as Debian installs them.
struct PostgresPrograms: Sendable, Equatable {
    /// The major version.
    let version: Int

    private static let folder = "/usr/lib/postgresql"

    /// - Parameter program: one that must be there.
    init(version: Int, with program: String) throws(BackupError) {
        self.version = version
        guard access(path(of: program), X_OK) == 0 else { throw .noProgram(program) }
    }

    /// The newest installed version.
    init(newestWith program: String, folders: [String]) throws(BackupError) {
        guard let newest = folders.compactMap({ Int($0) }).max() else { throw .noProgram(program) }
        try self.init(version: newest, with: program)
    }

    /// The newest version that is installed.
    static func newest(with program: String) throws(BackupError) -> PostgresPrograms {
        try PostgresPrograms(newestWith: program, folders: Folder.names(in: folder))
    }

    func path(of program: String) -> String { "\(Self.folder)/\(version)/bin/\(program)" }

    /// The arguments that connect a program, and the password, which is not among them: arguments are visible to every
    /// user.
    static func connecting(to conninfo: String) throws(PostgresError) -> (arguments: [String], password: String?) {
        let values = try ConnectionParameters(conninfo).values
        let options = [("host", "host"), ("port", "port"), ("user", "username"), ("dbname", "dbname")]
        let arguments = options.compactMap { key, option in values[key].map { "--\(option)=\($0)" } }
        return (["--no-password"] + arguments, values["password"])
    }

    static let environment = ["PATH=/usr/bin:/bin", "LANG=C.UTF-8", "TZ=UTC"]
}

/// A program of PostgreSQL whose input or output is read or written here.
final class PostgresPipe {
    enum Direction { case input, output }

    let descriptor: Int32
    private let program: String
    private let process: ChildProcess
    private let errors: Int32
    private var isClosed = false

    /// The descriptor from which a program reads the password. An environment would be passed on, and shows in /proc.
    private static let passwordNumber: Int32 = 3

    /// Starts the program with one end of a pipe as its standard input or output.
    init(_ path: String, _ arguments: [String], password: String? = nil, _ direction: Direction) throws(BackupError) {
        program = BackupOutput.parts(of: path).name
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw .file("pipe", call: "pipe", code: errno) }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let (own, theirs) = direction == .output ? (ends[0], ends[1]) : (ends[1], ends[0])
        errors = TemporaryFile.open()
        let passwords = password.map(TemporaryFile.passwords)
        defer { if let passwords { close(passwords) } }
        // The programs look for each other beside the path by which they were called.
        var options = ChildProcess.LaunchOptions(
            executable: path, arguments: [path] + arguments, environment: PostgresPrograms.environment)
        // Numbers above those that the program gets.
        let copies = [theirs, errors, passwords ?? errors].map { fcntl($0, F_DUPFD_CLOEXEC, 64) }
        defer { for copy in copies { close(copy) } }
        let null = ChildProcess.LaunchOptions.Descriptor.file("/dev/null", flags: O_RDWR)
        options.descriptors = [
            0: direction == .input ? .copy(copies[0]) : null, 1: direction == .output ? .copy(copies[0]) : null,
            2: .copy(copies[1]),
        ]
        if passwords != nil {
            options.descriptors[Self.passwordNumber] = .copy(copies[2])
            options.environment.append("PGPASSFILE=/proc/self/fd/\(Self.passwordNumber)")
        }
        let started = Result { () throws(ChildProcess.NotStarted) in try ChildProcess(options) }
        close(theirs)
        descriptor = own
        switch started {
        case .success(let child): process = child
        case .failure(let failure):
            close(own)
            close(errors)
            throw .program(program, said: String(cString: strerror(failure.errno)))
        }
    }

    deinit {
        if !isClosed {
            close(descriptor)
            process.waitForExit()
        }
        close(errors)
    }

    /// Closes the pipe and waits for the program's end.
    func finish() throws(BackupError) {
        isClosed = true
        close(descriptor)
        guard process.waitForExit() == .status(0) else { throw failure() }
    }

    /// What the program said about its failure.
    func failure() -> BackupError { .program(program, said: TemporaryFile.reason(in: errors)) }
}

/// A file without a name for the messages of a program.
enum TemporaryFile {
    static func open() -> Int32 {
        var template = Array("/tmp/lectern-XXXXXX".utf8CString)
        let file = mkstemp(&template)
        unlink(template)
        _ = fcntl(file, F_SETFD, FD_CLOEXEC)
        return file
    }

    /// A file of libpq's format with a password for every server.
    static func passwords(_ password: String) -> Int32 {
        let file = open()
        let escaped = password.replacing("\\", with: "\\\\").replacing(":", with: "\\:")
        // A password that could not be written is refused by the server.
        try? Descriptor.write(Array("*:*:*:*:\(escaped)\n".utf8)[...], to: file)
        return file
    }

    /// The lines of the first error, or else the last ones, as one line.
    static func reason(in file: Int32) -> String {
        var status = stat()
        guard fstat(file, &status) == 0 else { return "" }
        var bytes = [UInt8](repeating: 0, count: 8_000)
        let count = pread(file, &bytes, bytes.count, max(0, status.st_size - bytes.count))
        let lines = String(decoding: bytes[..<max(0, count)], as: UTF8.self).split(separator: "\n")
        let first = lines.firstIndex { $0.contains("error:") || $0.contains("FATAL:") || $0.contains("PANIC:") }
        return (first.map { lines[$0...].prefix(2) } ?? lines.suffix(4)).joined(separator: "; ")
    }
}
