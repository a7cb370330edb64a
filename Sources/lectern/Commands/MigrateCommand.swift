import ArgumentParser
import Glibc
import Postgres
import Processes
import Schema
import Settings

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the database to this version's schema.",
        discussion: """
            Applies the migrations of sql/migrations that are missing, in order, each in a transaction of its own, \
            then all files of sql/schema that have changed, in one transaction. Reads LECTERN_DATABASE_URL (the \
            admin's connection) and LECTERN_SQL_DIR (default: sql).
            """)

    @Flag(help: "List the files that would be applied, and change nothing.")
    var dryRun = false

    @Option(help: "Before an upgrade, write a backup into this folder, and delete backups of earlier days there.")
    var backup: String?

    func run() throws {
        OwnMemory.hide()
        let environment = try Environment.withSecrets()
        guard let url = environment["LECTERN_DATABASE_URL"] else {
            throw CommandError("LECTERN_DATABASE_URL is missing: the admin's connection to the database")
        }
        let files = try SchemaFiles(in: environment["LECTERN_SQL_DIR"] ?? "sql")
        let version = SchemaVersion(of: files)
        var connection = try Connection(url)
        let migrator = Migrator(files)
        if dryRun {
            let plan = try migrator.plan(&connection)
            for path in plan.paths { print("would apply \(path)") }
            if plan.isEmpty { print("nothing to apply; the schema version is \(version)") }
        } else {
            try migrator.migrate(&connection) { migration in
                if let backup { try UpgradeBackup(folder: backup).write(before: migration, url) }
            } announce: {
                print("applying \($0)")
            }
            print("the schema version is \(version)")
        }
    }
}
