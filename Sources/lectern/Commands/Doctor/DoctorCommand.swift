import ArgumentParser
import Glibc
import Postgres
import Processes

struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Check an instance and say how to fix each problem.",
        discussion: """
            Looks at the services, versions, permissions, free disk space, indexes, missing and orphaned files, the \
            clock, mail, the name servers in /etc/resolv.conf, the age of the last backup and the settings. Changes \
            nothing and looks up no names. Prints a line for each, with what to do. The exit status is 1 if anything is \
            wrong; a warning alone leaves it 0. Run this as the owner of the home.
            """)

    @Option(help: "The home (default: LECTERN_HOME, as in lectern.env, else var).")
    var home: String?

    @Flag(help: "Print a JSON array.")
    var json = false

    func run() throws {
        OwnMemory.hide()
        let location = try HomeLocation(home)
        var findings = HomeChecks(home: location.path).findings() + MachineChecks(home: location.path).findings()
        do {
            var connection = try Connection(try location.databaseURL())
            findings += try DatabaseChecks(version: Lectern.version).findings(&connection)
            findings += try FileChecks(home: location.path).findings(&connection)
        } catch let error as PostgresError {
            findings.append(
                .wrong(
                    "database", "does not answer: \(AdminDatabase.message(for: error))",
                    "run deploy/run; its log is \(location.path)/log/postgres.log"))
        }
        findings.append(ServiceChecks.health(location.variables["LECTERN_URL"]))
        findings.append(BackupChecks.age(LastBackup(in: location.path), now: time(nil)))
        if json {
            print("[" + findings.map(\.object).joined(separator: ",\n") + "]")
        } else {
            findings.forEach { print($0.line) }
        }
        if findings.contains(where: { $0.state == .wrong }) { throw ExitCode(1) }
    }
}

enum BackupChecks {
    /// Seconds after which a backup is too old.
    private static let longest = 8 * 86_400

    static func age(_ last: LastBackup?, now: Int) -> Finding {
        let advice = "run lectern backup, and have deploy/systemd/lectern-backup.timer do so every night"
        guard let last else { return .warning("backup", "there was no backup yet", advice) }
        let days = (now - last.at) / 86_400
        let text = "the last one was written \(days) days ago to \(last.file), \(last.bytes) bytes"
        if now - last.at > longest { return .wrong("backup", text, advice) }
        if last.file.hasPrefix("/"), access(last.file, F_OK) != 0, errno == ENOENT {
            return .warning("backup", "\(text); that file no longer exists", "make sure that another copy is kept")
        }
        return .ok("backup", text)
    }
}

enum ServiceChecks {
    /// Asks the instance itself.
    static func health(_ url: String?) -> Finding {
        let advice = "run deploy/run; the logs are in log/ of the home"
        guard let url else { return .wrong("health", "lectern.env has no LECTERN_URL", advice) }
        let arguments = [
            "curl", "--disable", "--silent", "--noproxy", "*", "--max-time", "10", "--output", "/dev/null",
            "--write-out",
            "%{http_code}", url + "/health",
        ]
        let status = ProgramOutput.read("/usr/bin/curl", arguments) ?? "000"
        if status == "200" { return .ok("health", "\(url)/health answers 200") }
        let answer = status == "000" ? "does not answer" : "answers \(status)"
        return .wrong("health", "\(url)/health \(answer)", advice)
    }
}

/// What a program prints.
enum ProgramOutput {
    /// - Returns: nil if it could not be started.
    static func read(_ program: String, _ arguments: [String]) -> String? {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { return nil }
        // Above the numbers that the program gets.
        let output = fcntl(ends[1], F_DUPFD_CLOEXEC, 64)
        close(ends[1])
        var options = ChildProcess.LaunchOptions(
            executable: program, arguments: arguments, environment: ["PATH=/usr/bin:/bin"])
        options.descriptors = [
            0: .file("/dev/null", flags: O_RDONLY), 1: .copy(output), 2: .file("/dev/null", flags: O_WRONLY),
        ]
        let child = try? ChildProcess(options)
        close(output)
        defer { close(ends[0]) }
        guard let child else { return nil }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 4_096)
        while case let count = Glibc.read(ends[0], &buffer, buffer.count), count > 0 { bytes += buffer[..<count] }
        child.waitForExit()
        return String(decoding: bytes, as: UTF8.self)
    }
}
