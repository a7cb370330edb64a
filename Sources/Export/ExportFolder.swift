import ExportFormats
import Folders
import Glibc
import Postgres

/// The folder of finished files, which are named after their exports. Files with other names are left alone.
struct ExportFolder: Sendable {
    let path: String

    func file(of id: String, _ format: ExportFormat) -> String { "\(path)/\(id).\(format.fileExtension)" }

    /// The path at which a file is written. libzip appends a random suffix while it writes.
    func temporary(of id: String, _ format: ExportFormat) -> String { file(of: id, format) + ".part" }

    /// Deletes the files of expired and deleted exports, and unfinished files of workers that died.
    func sweep(_ connection: inout Connection) throws(PostgresError) {
        // The next sweep comes soon.
        guard try connection.query("select private.backup_is_running()").bool(0, 0) != true else { return }
        _ = try connection.query("delete from private.exports where expires_at <= now()")
        // The folder is listed first: a row is older than its file, so every listed file of a live export has a row.
        let files = files()
        guard !files.isEmpty else { return }
        let rows = try connection.query(
            """
            select id, state = 'running' and leased_until > now() from private.exports
            where id::text = any(\(array: files.map(\.id)))
            """)
        var isBeingWritten: [String: Bool] = [:]
        for row in 0..<rows.count { isBeingWritten[rows.text(row, 0) ?? ""] = rows.bool(row, 1) ?? false }
        for file in files {
            let mayStay = file.isTemporary ? isBeingWritten[file.id] == true : isBeingWritten[file.id] != nil
            if !mayStay { unlink("\(path)/\(file.name)") }
        }
    }

    /// Deletes the files that an earlier attempt of an export has left.
    func removeFiles(of id: String) {
        for file in files() where file.id == id { unlink("\(path)/\(file.name)") }
    }

    private struct File {
        var name: String
        var id: String
        var isTemporary: Bool
    }

    private func files() -> [File] {
        Folder.names(in: path).compactMap { name in
            let (id, end) = (String(name.prefix(36)), name.dropFirst(36))
            guard Self.isID(id), let known = Self.ends.first(where: { end == $0 || end.hasPrefix($0 + ".part") })
            else { return nil }
            return File(name: name, id: id, isTemporary: end != known)
        }
    }

    private static let ends = Set(ExportFormat.allCases.map { "." + $0.fileExtension })

    private static func isID(_ text: String) -> Bool {
        text.utf8.count == 36
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) || byte == UInt8(ascii: "-")
            }
    }
}
