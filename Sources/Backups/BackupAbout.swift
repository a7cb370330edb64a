import JSON
import Postgres

/// What a backup says about itself; its first entry.
public struct BackupAbout: Sendable, Equatable {
    /// The number of the archive's format: 1, or 2 if files are kept beside it.
    private var format: Int { isIncremental ? 2 : 1 }
    private static let newestFormat = 2
    static let name = "lectern-backup.json"

    /// The version of Lectern that wrote it.
    public var lectern: String
    /// The moment of the backup, in RFC 3339.
    public var createdAt: String
    /// The major version of PostgreSQL.
    public var postgres: Int
    /// The number of the last migration.
    public var migration: Int
    public var counts: TableCounts
    /// Whether the files of the home are beside the archive; see `FileStore`.
    public var isIncremental = false

    var json: [UInt8] {
        let rows = counts.rows.sorted { $0.key < $1.key }
        return JSON.object([
            .init("format", .number(Double(format))),
            .init("lectern", .string(lectern)),
            .init("created_at", .string(createdAt)),
            .init("postgres", .number(Double(postgres))),
            .init("migration", .number(Double(migration))),
            .init("secrets", .string("This file contains all secrets of the instance. Keep it private.")),
            .init("rows", .object(rows.map { .init($0.key, .number(Double($0.value))) })),
        ]).bytes
    }

    init(lectern: String, createdAt: String, postgres: Int, migration: Int, counts: TableCounts) {
        self.lectern = lectern
        self.createdAt = createdAt
        self.postgres = postgres
        self.migration = migration
        self.counts = counts
    }

    /// - Throws: `newerFormat`, or `damaged` for anything that is not such an entry.
    init(parsing text: [UInt8], of path: String) throws(BackupError) {
        guard let json = JSON(parsing: text), let format = json["format"]?.integer else {
            throw .damaged(path, reason: "\(Self.name) cannot be read")
        }
        guard format <= Self.newestFormat else { throw .newerFormat(path, format: format) }
        guard let lectern = json["lectern"]?.string, let createdAt = json["created_at"]?.string,
            let postgres = json["postgres"]?.integer, let migration = json["migration"]?.integer,
            case .object(let rows)? = json["rows"]
        else { throw .damaged(path, reason: "\(Self.name) cannot be read") }
        var counts = TableCounts(rows: [:])
        for member in rows { counts.rows[member.key] = member.value.integer }
        self.init(lectern: lectern, createdAt: createdAt, postgres: postgres, migration: migration, counts: counts)
        isIncremental = format == 2
    }
}

extension JSON {
    fileprivate var integer: Int? {
        if case .number(let value) = self { Int(exactly: value) } else { nil }
    }
}
