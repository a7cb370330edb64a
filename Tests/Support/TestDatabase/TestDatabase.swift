import Glibc
import Postgres
import Schema
import Synchronization

/// A database of one test's own: cloned from a migrated template on the throwaway server that `deploy/test` starts.
public final class TestDatabase: Sendable {
    /// Whether there is a server; `deploy/test` always starts one, a bare `swift test` has none.
    public static var isAvailable: Bool { host != nil }

    private static let host: String? = {
        guard let url = getenv("LECTERN_TEST_DATABASE_URL").map({ String(cString: $0) }),
            let query = url.split(separator: "?").last, let host = query.split(separator: "&").first(where: { $0.hasPrefix("host=") })
        else { return nil }
        return String(host.dropFirst(5))
    }()

    /// The numbered SQL files of this checkout.
    public static let migrationsDirectory = String(#filePath.split(separator: "/").dropLast(4).map { "/" + $0 }.joined()) + "/sql"

    private static let made = Mutex<String?>(nil)

    public let name: String

    /// A fresh database, migrated unless told otherwise.
    public init(isMigrated: Bool = true) throws {
        name = "lectern_test_\(getpid())_\(UInt32.random(in: .min ... .max))"
        let name = name
        var server = try Connection(Self.conninfo("lectern_bootstrap", "postgres"))
        // One clone at a time: PostgreSQL copies a template only while nobody else uses it.
        try Self.made.withLock { template in
            if isMigrated {
                let source = try template ?? Self.makeTemplate(&server)
                template = source
                try server.script("create database \(name) template \(source) owner lectern_owner")
            } else {
                try server.script("create database \(name) owner lectern_owner")
            }
        }
    }

    deinit {
        var server = try? Connection(Self.conninfo("lectern_bootstrap", "postgres"))
        try? server?.script("drop database if exists \(name) with (force)")
    }

    /// libpq's connection string of a login role: `lectern_admin`, `authenticator`, `lectern_jobs`.
    public func conninfo(_ role: String) -> String { Self.conninfo(role, name) }

    /// Makes an account without a password, and tells its id.
    public func makeUser(_ email: String) throws -> String {
        var admin = try Connection(conninfo("lectern_admin"))
        return try admin.query("insert into auth.users (email) values (\(email)) returning id").text(0, 0) ?? ""
    }

    private static func conninfo(_ role: String, _ database: String) -> String {
        "host=\(host ?? "") user=\(role) dbname=\(database)"
    }

    private static func makeTemplate(_ server: inout Connection) throws -> String {
        let name = "lectern_template_\(getpid())"
        try server.script("create database \(name) owner lectern_owner")
        var admin = try Connection(conninfo("lectern_admin", name))
        try Migrator(try Migration.all(in: migrationsDirectory)).migrate(&admin) { _ in }
        return name
    }
}
