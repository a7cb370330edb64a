import ArgumentParser
import Backups
import Glibc
import Postgres
import Processes
import Schema
import Settings

struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore",
        abstract: "Put a backup into an empty home, or check one.",
        discussion: """
            Reads the whole file first and checks every byte of it. Then it creates a new database, loads the backup into it, \
            writes the files, and compares the rows of every table. If anything fails, the folder is empty again. \
            `deploy/run --home DIR` starts the restored home. An encrypted backup is decrypted into an unnamed temporary \
            file in the same folder, which disappears when the command ends. A backup of a newer version is refused; one \
            of an older version is migrated at its first start.

            Needs PostgreSQL's programs, and as root the system users that `deploy/run --prepare` creates.
            """)

    @Argument(help: "The backup.")
    var file: String

    @Option(help: "A new or empty folder (default: LECTERN_HOME, else var).")
    var home: String?

    @Option(help: "The file with the private key, for a backup that age has encrypted.")
    var identity: String?

    @Flag(help: "Only check the backup; write nothing.")
    var verify = false

    @Flag(help: "Replace only the database of a stopped home; the former one is kept as postgres.before-restore.")
    var database = false

    func validate() throws {
        if verify, database { throw ValidationError("--verify restores nothing; leave out --database.") }
    }

    func run() throws {
        OwnMemory.hide()
        umask(0o022)
        let interruption = Interruption()
        do {
            if verify {
                let summary = try HomeRestore(file, identity: identity, migrations: .max) { interruption.isPending }
                    .verify()
                print("\(file): the backup is intact; \(Self.described(summary))")
                return
            }
            let folder = try SQLFolder.find()
            let restore = try HomeRestore(
                file, identity: identity, migrations: try SchemaFiles(in: folder).migrations.count
            ) { interruption.isPending }
            let home = home ?? Environment.all["LECTERN_HOME"] ?? "var"
            if database {
                let summary = try restore.replaceDatabase(of: home)
                print("\(home): the database was replaced; \(Self.described(summary))\nStart it with deploy/run")
                return
            }
            let summary = try restore.restore(into: home)
            print("\(home): restored; \(Self.described(summary))\nStart it with deploy/run --home \(home)")
        } catch let error as PostgresError {
            throw CommandError("the backup could not be loaded: \(AdminDatabase.message(for: error))")
        } catch let error as BackupError {
            throw CommandError(error.description)
        }
    }

    private static func described(_ summary: HomeRestore.Summary) -> String {
        "\(summary.rows) rows of \(summary.tables) tables, \(summary.files) files, of \(summary.about.createdAt), "
            + "Lectern \(summary.about.lectern)"
    }
}

/// Where this version's SQL files are: in the folder that LECTERN_SQL_DIR names, in the home or the checkout that the
/// program belongs to, or in the working folder.
enum SQLFolder {
    static func find() throws -> String {
        if let given = Environment.all["LECTERN_SQL_DIR"], !given.isEmpty { return given }
        // HOME/bin/lectern, .build/<platform>/release/lectern of a checkout, and the Debian package.
        let folder = OwnProgram.folder ?? "./"
        let candidates = ["\(folder)../sql", "\(folder)../../../sql", "\(folder)../share/lectern/sql", "sql"]
        if let found = candidates.first(where: { access("\($0)/migrations", R_OK) == 0 }) { return found }
        throw CommandError(
            "this version's SQL files were not found; set LECTERN_SQL_DIR to the folder sql of the checkout")
    }
}
