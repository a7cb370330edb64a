import Folders
import Glibc
import Postgres

/// The files that rows name, and those that no row names.
struct FileChecks {
    let home: String

    private struct Kind {
        var folder: String
        /// Selects the paths below the folder.
        var paths: SQL
        var advice: String
    }

    private static let kinds = [
        Kind(
            folder: "pictures", paths: "select address from public.pictures",
            advice: "lectern maintain sweep-pictures fetches lost pictures again and removes the others"),
        Kind(
            folder: "documents", paths: "select address from private.documents",
            advice: "copy lost files from a backup; the jobs remove the others within a day"),
    ]

    /// Only files older than this many seconds count: a file is written before its row.
    private static let oldEnough = 3_600

    func findings(_ connection: inout Connection) throws -> [Finding] {
        try Self.kinds.map { try finding($0, &connection) }
    }

    private func finding(_ kind: Kind, _ connection: inout Connection) throws -> Finding {
        let folder = "\(home)/\(kind.folder)"
        guard access(folder, R_OK | X_OK) == 0 else {
            let reason = String(cString: strerror(errno))
            return .wrong(kind.folder, "\(folder): \(reason)", "run this as the owner of the home")
        }
        // Files that are there, without their rows in the end.
        var orphaned: Set<String> = []
        for group in Folder.names(in: folder) where group.utf8.count == 2 {
            for name in Folder.names(in: "\(folder)/\(group)") where !name.hasPrefix(".") {
                orphaned.insert("\(group)/\(name)")
            }
        }
        let all = orphaned.count
        var missing: [String] = []
        try connection.query(kind.paths) { row throws(PostgresError) in
            guard let path = row.text(0, 0), orphaned.remove(path) == nil else { return }
            if access("\(folder)/\(path)", F_OK) != 0 { missing.append(path) }
        }
        let old = orphaned.count { Folder.age(of: "\(folder)/\($0)") > Self.oldEnough }
        if !missing.isEmpty {
            return .wrong(
                kind.folder, "\(missing.count) of the files that the database names are missing, such as \(missing[0])",
                kind.advice)
        }
        if old > 0 { return .warning(kind.folder, "\(old) of \(all) files are unknown to the database", kind.advice) }
        return .ok(kind.folder, "\(all) files, none is missing")
    }
}
