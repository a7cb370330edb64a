import Glibc
import Postgres

/// The database as pg_dump writes it, in its custom format. Its size is not known in advance, so it is stored in
/// pieces; `cat` puts them together again.
struct DatabaseDump {
    let conninfo: String
    /// The major version of the server.
    let postgres: Int
    /// An exported snapshot, whose transaction is open until the dump is complete.
    let snapshot: String

    /// The folder of the pieces in the archive.
    static let folder = "database/"

    private static let pieceSize = 1 << 22

    func write(to writer: BackupArchiveWriter) throws {
        let programs = try PostgresPrograms(version: postgres, with: "pg_dump")
        let (arguments, password) = try PostgresPrograms.connecting(to: conninfo)
        // More than level 3 makes the dump little smaller and takes several times as long.
        let dump = try ProgramPipe(
            programs.path(of: "pg_dump"),
            ["--format=custom", "--compress=3", "--snapshot=\(snapshot)"] + arguments, password: password, .output
        )
        var piece = [UInt8](repeating: 0, count: Self.pieceSize)
        var number = 0
        while true {
            let count = Descriptor.fill(&piece, upTo: piece.count, from: dump.descriptor)
            guard count >= 0 else { throw BackupError.file("pg_dump", call: "read", code: errno) }
            if count == 0 { break }
            number += 1
            try writer.add(Self.folder + Numbered.name(number), piece[..<count], modified: time(nil))
        }
        try dump.finish()
    }
}

/// The roles of the cluster as pg_dumpall writes them, without passwords: those are in secrets/, and deploy/run sets them
/// again.
enum RolesDump {
    static let name = "roles.sql"

    /// The superuser that initdb makes.
    static let bootstrap = "lectern_bootstrap"

    /// Far more than the roles of an instance.
    static let maxSize = 1 << 20

    static func read(_ conninfo: String, _ postgres: Int) throws -> [UInt8] {
        let programs = try PostgresPrograms(version: postgres, with: "pg_dumpall")
        let (arguments, password) = try PostgresPrograms.connecting(to: conninfo)
        let database = arguments.map { $0.hasPrefix("--dbname=") ? "--database=" + $0.dropFirst(9) : $0 }
        let dump = try ProgramPipe(
            programs.path(of: "pg_dumpall"), ["--roles-only", "--no-role-passwords"] + database,
            password: password, .output)
        var text = [UInt8](repeating: 0, count: maxSize)
        let count = Descriptor.fill(&text, upTo: maxSize, from: dump.descriptor)
        try dump.finish()
        return Array(text[..<max(0, count)])
    }

    /// The statements for a new cluster, in which the superuser exists, and which is not psql.
    static func statements(of text: [UInt8]) -> String {
        let leftOut = ["\\", "CREATE ROLE \(bootstrap)", "ALTER ROLE \(bootstrap)"]
        let lines = String(decoding: text, as: UTF8.self).split(separator: "\n")
        return lines.filter { line in !leftOut.contains { line.hasPrefix($0) } }.joined(separator: "\n")
    }
}
