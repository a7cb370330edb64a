import Glibc
import Postgres
import Schema

/// A database that belongs to one test: cloned from a migrated template on the throwaway server that `deploy/test` starts.
public final class TestDatabase: Sendable {
    /// Whether there is a server; `deploy/test` always starts one, a bare `swift test` has none.
    public static var isAvailable: Bool { host != nil }

    private static let host: String? = {
        guard let url = getenv("LECTERN_TEST_DATABASE_URL").map({ String(cString: $0) }),
            let query = url.split(separator: "?").last,
            let host = query.split(separator: "&").first(where: { $0.hasPrefix("host=") })
        else { return nil }
        return String(host.dropFirst(5))
    }()

    /// The folder `sql` of this checkout.
    public static let sqlDirectory =
        String(#filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()) + "/sql"

    private static let files: SchemaFiles = {
        // The files are those of this checkout. No test that needs a database could run without them.
        do { return try SchemaFiles(in: sqlDirectory) } catch { fatalError("\(error)") }
    }()

    /// The schema of a migrated database.
    public static let schemaVersion = SchemaVersion(of: files)

    public let name: String

    /// A fresh database, migrated unless told otherwise.
    public init(isMigrated: Bool = true) throws {
        name = "lectern_test_\(getpid())_\(UInt32.random(in: .min ... .max))"
        var server = try Connection(Self.conninfo("lectern_bootstrap", "postgres"))
        if isMigrated {
            let template = try Self.template(&server)
            try server.script("create database \(name) template \(template) owner lectern_owner")
        } else {
            try server.script("create database \(name) owner lectern_owner")
        }
    }

    deinit {
        var server = try? Connection(Self.conninfo("lectern_bootstrap", "postgres"))
        try? server?.script("drop database if exists \(name) with (force)")
    }

    /// libpq's connection string of a login role: `lectern_admin`, `authenticator`, `lectern_jobs`.
    public func conninfo(_ role: String) -> String { Self.conninfo(role, name) }

    /// Creates an account without a password and returns its id.
    public func makeUser(_ email: String) throws -> String {
        var admin = try Connection(conninfo("lectern_admin"))
        return try admin.query("insert into auth.users (email) values (\(email)) returning id").text(0, 0) ?? ""
    }

    private static func conninfo(_ role: String, _ database: String) -> String {
        "host=\(host ?? "") user=\(role) dbname=\(database)"
    }

    /// The migrated database that all test processes on the server clone. The first process makes it; the others wait.
    private static func template(_ server: inout Connection) throws -> String {
        let name = "lectern_template_\(schemaVersion)"
        func exists() throws -> Bool {
            try server.query("select exists (select from pg_database where datname = \(name))").bool(0, 0) ?? false
        }
        if try exists() { return name }
        // Any number will do, as long as all take the same: "test" in ASCII.
        try server.script("select pg_advisory_lock(1952805748)")
        defer { try? server.script("select pg_advisory_unlock(1952805748)") }
        if try exists() { return name }
        // A process that was killed leaves an unfinished template, so the finished one gets its name last.
        try server.script("drop database if exists \(name)_new with (force)")
        try server.script("create database \(name)_new owner lectern_owner")
        try migrate(name + "_new")
        try server.script("alter database \(name)_new rename to \(name)")
        // Nobody connects to it, autovacuum included: PostgreSQL copies only a database without connections.
        try server.script("alter database \(name) allow_connections false")
        return name
    }

    private static func migrate(_ database: String) throws {
        var admin = try Connection(conninfo("lectern_admin", database))
        try Migrator(files).migrate(&admin) { _ in }
    }
}
