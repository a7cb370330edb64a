import ArgumentParser
import Backups
import Glibc
import JSON
import Postgres
import Processes

struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup",
        abstract: "Write the whole running instance to one file.",
        discussion: """
            The file holds the database, pictures, documents, uploads, exports, secrets and settings of one moment. \
            Nothing is stopped. It contains all secrets of the instance, so only its owner can read it; keep it \
            private, or encrypt it with --encrypt-to.

            The file is a tar archive. It gets its name when it is complete and on disk; until then the previous \
            backup keeps the name. `lectern restore` puts it into an empty home. Run this as the owner of the home.
            """)

    @Argument(help: "File to write; - for standard output; an existing folder gets a file named after the time.")
    var file: String?

    @Option(
        help: ArgumentHelp(
            "A folder for backups that share their files: each copies only the pictures and documents that are new.",
            valueName: "dir"))
    var incremental: String?

    @Option(help: "The home (default: LECTERN_HOME, as in lectern.env, else var).")
    var home: String?

    @Option(help: "Keep this many backups and delete older ones: those in the folder, or FILE, FILE.1, FILE.2, ….")
    var keep: Int?

    @Option(
        name: .customLong("encrypt-to"),
        help: ArgumentHelp(
            "Encrypt the file for this key; may be repeated.",
            discussion: """
                With age: a public key (age1…, ssh-…) or the path of a file with keys. With GnuPG: the fingerprint or \
                address of one of your public keys. The package age or gpg has to be installed.
                """,
            valueName: "key"))
    var recipients: [String] = []

    @Flag(help: "Print a JSON object.")
    var json = false

    func validate() throws {
        if let keep, !(1...10_000).contains(keep) { throw ValidationError("--keep takes a number from 1 to 10000.") }
        guard let file = incremental ?? file, incremental == nil || self.file == nil else {
            throw ValidationError("name either a file, or a folder with --incremental.")
        }
        if incremental != nil, !recipients.isEmpty {
            throw ValidationError(
                "--incremental and --encrypt-to exclude each other: the shared files are not encrypted.")
        }
        if file == "-", keep != nil { throw ValidationError("--keep needs a file or a folder.") }
        if file == "-", json { throw ValidationError("--json needs a file or a folder.") }
        if recipients.contains("") { throw ValidationError("--encrypt-to takes a key.") }
        if file.isEmpty { throw ValidationError("the name of the file is empty.") }
    }

    func run() throws {
        OwnMemory.hide()
        umask(0o077)
        let location = try HomeLocation(home)
        let key = recipients.isEmpty ? nil : EncryptionKey(for: recipients)
        let backup = HomeBackup(
            home: location.path, conninfo: try location.databaseURL(), version: Lectern.version)
        do {
            let file = incremental ?? file ?? ""
            if let incremental { try Self.makeFolder(incremental) }
            if file == "-", incremental == nil {
                if isatty(STDOUT_FILENO) == 1 {
                    throw CommandError("a backup cannot be written to a terminal; name a file")
                }
                let output =
                    try key.map { try BackupOutput(descriptor: STDOUT_FILENO, encrypting: $0) }
                    ?? BackupOutput(descriptor: STDOUT_FILENO)
                let summary = try backup.write(to: output)
                Terminal.say(described(summary, as: "standard output") + "\n")
                return
            }
            let rotation = BackupRotation(to: file, keep: keep, now: time(nil), encrypting: key)
            let output = try BackupOutput(path: rotation.path, encrypting: key, willReplace: rotation.willReplace)
            let summary = try backup.write(to: output, keepingFilesIn: incremental)
            rotation.removeOld()
            if incremental != nil { rotation.pruneStore() }
            LastBackup(at: time(nil), file: rotation.path, bytes: summary.bytes).record(in: location.path)
            print(json ? object(summary, rotation.path) : described(summary, as: rotation.path))
        } catch let error as PostgresError {
            throw CommandError("the database cannot be read: \(AdminDatabase.message(for: error))")
        } catch let error as BackupError {
            throw CommandError("\(error); no backup was written")
        }
    }

    private static func makeFolder(_ path: String) throws(CommandError) {
        guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
            throw CommandError("\(path): mkdir: \(String(cString: strerror(errno))); no backup was written")
        }
    }

    private func described(_ summary: HomeBackup.Summary, as name: String) -> String {
        let missing = summary.missing.sorted { $0.key < $1.key }.map {
            "\n\($0.value) files of \($0.key)/ are missing in the home; see lectern doctor"
        }.joined()
        let advice =
            recipients.isEmpty
            ? "It contains all secrets of the instance; keep it private."
            : "It is encrypted; without the private key nobody can restore it."
        let files = incremental == nil ? "\(summary.files) files" : "\(summary.files) files (\(summary.copied) new)"
        return """
            \(name): \(summary.rows) rows of \(summary.tables) tables, \(files), \(summary.bytes) bytes
            \(advice)\(missing)
            """
    }

    private func object(_ summary: HomeBackup.Summary, _ path: String) -> String {
        let numbers = [
            ("rows", summary.rows), ("tables", summary.tables), ("files", summary.files), ("copied", summary.copied),
            ("bytes", summary.bytes),
            ("missing", summary.missing.values.reduce(0, +)),
        ]
        return JSONText.object([("file", JSONText.string(path))] + numbers.map { ($0.0, "\($0.1)") })
    }
}
