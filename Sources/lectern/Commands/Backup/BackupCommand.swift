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
            The file holds the database, pictures, documents, uploads, exports, secrets and settings of one moment. Nothing is \
            stopped. It contains all secrets of the instance, so only its owner can read it; keep it private.

            The file is a tar archive. It gets its name when it is complete and on disk; until then a backup before it keeps \
            the name. `lectern restore` puts it into an empty home. Run this as the owner of the home.
            """)

    @Argument(help: "File to write; - for standard output; an existing folder gets a file named after the time.")
    var file: String

    @Option(help: "The home (default: LECTERN_HOME, as in lectern.env, else var).")
    var home: String?

    @Option(help: "Keep this many backups and delete older ones: those in the folder, or FILE, FILE.1, FILE.2, ….")
    var keep: Int?

    @Flag(help: "Print a JSON object.")
    var json = false

    func validate() throws {
        if let keep, !(1...10_000).contains(keep) { throw ValidationError("--keep takes a number from 1 to 10000.") }
        if file == "-", keep != nil { throw ValidationError("--keep needs a file or a folder.") }
        if file == "-", json { throw ValidationError("--json needs a file or a folder.") }
        if file.isEmpty { throw ValidationError("the name of the file is empty.") }
    }

    func run() throws {
        OwnMemory.hide()
        umask(0o077)
        let location = try HomeLocation(home)
        let backup = HomeBackup(
            home: location.path, conninfo: try location.databaseURL(), version: Lectern.version)
        do {
            if file == "-" {
                if isatty(STDOUT_FILENO) == 1 { throw CommandError("a backup is not written to a terminal") }
                let summary = try backup.write(to: BackupOutput(descriptor: STDOUT_FILENO))
                Terminal.say(described(summary, as: "standard output") + "\n")
                return
            }
            let rotation = BackupRotation(to: file, keep: keep, now: time(nil))
            let summary = try backup.write(to: BackupOutput(path: rotation.path, willReplace: rotation.willReplace))
            rotation.removeOld()
            LastBackup(at: time(nil), file: rotation.path, bytes: summary.bytes).record(in: location.path)
            print(json ? object(summary, rotation.path) : described(summary, as: rotation.path))
        } catch let error as PostgresError {
            throw CommandError("the database cannot be read: \(AdminDatabase.message(for: error))")
        } catch let error as BackupError {
            throw CommandError("\(error); no backup was written")
        }
    }

    private func described(_ summary: HomeBackup.Summary, as name: String) -> String {
        let missing = summary.missing.sorted { $0.key < $1.key }.map {
            "\n\($0.value) files of \($0.key)/ are missing in the home; see lectern doctor"
        }.joined()
        return """
            \(name): \(summary.rows) rows of \(summary.tables) tables, \(summary.files) files, \(summary.bytes) bytes
            It contains all secrets of the instance; keep it private.\(missing)
            """
    }

    private func object(_ summary: HomeBackup.Summary, _ path: String) -> String {
        let numbers = [
            ("rows", summary.rows), ("tables", summary.tables), ("files", summary.files), ("bytes", summary.bytes),
            ("missing", summary.missing.values.reduce(0, +)),
        ]
        return JSONText.object([("file", JSONText.string(path))] + numbers.map { ($0.0, "\($0.1)") })
    }
}
