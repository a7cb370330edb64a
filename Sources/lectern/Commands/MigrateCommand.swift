import ArgumentParser
import Glibc
import Postgres
import Schema
import Settings

struct MigrateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "migrate",
        abstract: "Bring the database to this version's schema.",
        discussion: """
            Applies the numbered files of sql/ that are missing, in order, each in a transaction of its own. \
            Reads LECTERN_DATABASE_URL (the admin's connection) and LECTERN_SQL_DIR (default: sql).
            """)

    @Flag(help: "Tell what would be applied, and change nothing.")
    var dryRun = false

    func run() throws {
        let environment = Environment.all
        guard let url = environment["LECTERN_DATABASE_URL"] else {
            throw CommandError("LECTERN_DATABASE_URL is missing: the admin's connection to the database")
        }
        let migrations = try Migration.all(in: environment["LECTERN_SQL_DIR"] ?? "sql")
        var connection = try Connection(url)
        let migrator = Migrator(migrations)
        if dryRun {
            let pending = try migrator.plan(&connection)
            for migration in pending { print("would apply \(migration.name)") }
            if pending.isEmpty { print("nothing to apply; the schema is at version \(SchemaVersion.required)") }
        } else {
            try migrator.migrate(&connection) { print("applying \($0.name)") }
            print("the schema is at version \(migrations.count)")
        }
    }
}
