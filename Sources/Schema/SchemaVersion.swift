import Crypto
import Postgres

/// The schema that a set of SQL files describes: a fingerprint of all migrations and definitions.
public struct SchemaVersion: Sendable, Equatable, CustomStringConvertible {
    /// SHA-256, hexadecimal, of one line a file: folder, name and checksum. ``recorded`` computes the same in SQL.
    public let fingerprint: String

    /// The first digits of the fingerprint, for people.
    public var description: String { String(fingerprint.prefix(12)) }

    public init(of files: SchemaFiles) {
        let lines =
            files.migrations.map { "migrations/\($0.name) \($0.checksum)\n" }
            + files.definitions.map { "schema/\($0.name) \($0.checksum)\n" }
        fingerprint = Digest.hex(Digest.sha256(lines.joined().utf8))
    }

    /// Reads the SQL files; a service does so once, at its start.
    ///
    /// - Parameter directory: the value of LECTERN_SQL_DIR.
    public init(ofFilesIn directory: String) throws(MigrationError) {
        self.init(of: try SchemaFiles(in: directory))
    }

    /// The fingerprint of the files that the database records as applied; null where none is.
    static let recorded: SQL = """
        select encode(sha256(convert_to(string_agg(line, '' order by line collate "C"), 'UTF8')), 'hex')
        from (
            select 'migrations/' || name || ' ' || checksum || E'\\n' from lectern.migrations
            union all
            select 'schema/' || name || ' ' || checksum || E'\\n' from lectern.schema_files
        ) as files (line)
        """

    /// Refuses a database with another schema. Run on every fresh connection.
    public func check(_ connection: inout Connection) throws(PostgresError) {
        let found: String?
        do {
            found = try connection.query(Self.recorded).text(0, 0)
        } catch .refused(let refusal) where refusal.sqlState == "42P01" || refusal.sqlState == "3F000" {
            found = nil
        }
        guard found == fingerprint else {
            throw .unavailable(
                reason: "schema version \(found?.prefix(12) ?? "none") found, \(self) needed: "
                    + "run `lectern migrate` with the same version of Lectern")
        }
    }
}
