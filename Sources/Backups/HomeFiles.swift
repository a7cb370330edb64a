import Folders
import Glibc
import Postgres

/// The files of a home that a backup holds, besides the database.
enum HomeFiles {
    /// The folder of the archive with the files of the home.
    static let prefix = "home/"

    static let settings = "settings.env"
    static let secrets = "secrets"
    /// PostgreSQL's own settings, which an admin may have changed.
    static let postgresSettings = "postgres/postgresql.conf"

    /// Files in secrets/ that say what was done in the former cluster.
    private static let leftOut: Set = ["roles.applied", "system-database"]

    /// The files that exist apart from rows of the database.
    static func plainFiles(in home: String) throws(BackupError) -> [String] {
        guard access("\(home)/\(secrets)", R_OK | X_OK) == 0 else {
            throw .file("\(home)/\(secrets)", call: "open", code: errno)
        }
        let names = Folder.names(in: "\(home)/\(secrets)").filter { !leftOut.contains($0) && !$0.hasSuffix(".new") }
        return names.sorted().map { "\(secrets)/\($0)" } + [settings, postgresSettings]
    }

    /// Files that rows name.
    struct Named {
        var folder: String
        var table: String
        /// Selects the paths below the folder.
        var paths: SQL
        /// Whether a file may have been removed since the moment of the backup because it was read.
        var mayBeGone = false
        /// Whether the files stay for long, so that an incremental backup copies them once.
        var isKept = false
    }

    /// In the order in which they are copied: uploads first, because they are removed when they have been read.
    static let named = [
        Named(
            folder: "imports", table: "private.imports",
            paths: "select id::text from private.imports where state in ('pending', 'running', 'failed')",
            mayBeGone: true),
        Named(
            folder: "exports", table: "private.exports",
            // The extensions are those of ExportFormat.
            paths: """
                select id || case
                        when format = 'netscape' then '.html' when format = 'json' then '.json'
                        when format in ('csv', 'highlights-csv') then '.csv'
                        when format = 'highlights-markdown' then '.md' else '.zip' end
                from private.exports where state = 'ready' and expires_at > now()
                """),
        Named(
            folder: "documents", table: "private.documents", paths: "select address from private.documents order by 1",
            isKept: true),
        // Those of imports that are not saved yet.
        Named(
            folder: "documents", table: "private.import_entries",
            paths: """
                select entry #>> '{document,address}' from private.import_entries where entry ? 'document'
                except select address from private.documents order by 1
                """, isKept: true),
        Named(
            folder: "pictures", table: "public.pictures", paths: "select address from public.pictures order by 1",
            isKept: true),
    ]

    /// Whether a restore may write a file of this name.
    static func mayBeRestored(_ path: String) -> Bool {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." }) else { return false }
        if path == settings || path == postgresSettings { return true }
        let folder = String(parts[0])
        if folder == secrets { return parts.count == 2 }
        return named.contains { $0.folder == folder } && (2...3).contains(parts.count)
    }
}
