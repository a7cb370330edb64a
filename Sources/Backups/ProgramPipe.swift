import Glibc
import Processes

/// A program whose input or output is written or read here.
final class ProgramPipe {
    enum Direction { case input, output }

    let descriptor: Int32
    private let program: String
    private let process: ChildProcess
    private let errors: Int32
    private var isClosed = false

    /// The descriptor from which a program reads the password. An environment would be passed on, and shows in /proc.
    private static let passwordNumber: Int32 = 3

    /// Starts a program with one end of a pipe as its standard input or output.
    ///
    /// - Parameters:
    ///   - password: of the database, for PostgreSQL's programs.
    ///   - other: the file that is the other one of the two; nothing unless given.
    ///   - variables: more of its environment, as `NAME=value`.
    init(
        _ path: String, _ arguments: [String], password: String? = nil, _ direction: Direction, other: Int32? = nil,
        variables: [String] = []
    ) throws(BackupError) {
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
            executable: path, arguments: [path] + arguments, environment: Programs.environment + variables)
        // Numbers above those that the program gets.
        let copies = [theirs, errors, passwords ?? errors, other ?? errors].map { fcntl($0, F_DUPFD_CLOEXEC, 64) }
        defer { for copy in copies { close(copy) } }
        let others: ChildProcess.LaunchOptions.Descriptor =
            other == nil ? .file("/dev/null", flags: O_RDWR) : .copy(copies[3])
        options.descriptors = [
            0: direction == .input ? .copy(copies[0]) : others, 1: direction == .output ? .copy(copies[0]) : others,
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

enum Programs {
    static let environment = ["PATH=/usr/bin:/bin", "LANG=C.UTF-8", "TZ=UTC"]

    /// Runs a program to its end.
    ///
    /// - Returns: whether it succeeded.
    static func run(_ program: String, _ arguments: [String]) -> Bool {
        let options = ChildProcess.LaunchOptions(
            executable: program, arguments: [program] + arguments, environment: environment)
        return (try? ChildProcess(options).waitForExit()) == .status(0)
    }
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

    /// A file without a name in the folder of another file, or in /var/tmp if nothing can be written there.
    static func open(beside path: String) throws(BackupError) -> Int32 {
        for folder in [BackupOutput.parts(of: path).folder, "/var/tmp"] {
            var template = Array("\(folder)/.lectern-XXXXXX".utf8CString)
            let file = mkstemp(&template)
            guard file >= 0 else { continue }
            unlink(template)
            _ = fcntl(file, F_SETFD, FD_CLOEXEC)
            return file
        }
        throw .file("/var/tmp", call: "open", code: errno)
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
