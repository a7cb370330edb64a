import ArticlePages
import Glibc
import JSON
import Postgres
import ZIP

/// All data of a user as a ZIP file: `manifest.json`, `index.html`, a JSON file for each table, a page for each article,
/// the files of pictures and documents, and `files.json`, which lists these. With a query: the links that it finds, and
/// what belongs to them.
///
/// All rows are read in one transaction, and so are the state of one moment. A file may be deleted after that: its entry
/// is then empty, and the list says so. One thread's own.
final class PersonalArchive {
    private let user: String
    private let query: ExportRequest.Query?
    private let folders: StoredFolders
    private let progress: ExportRequest.Progress
    private var connection: Connection
    private var counts: [(table: String, rows: Int)] = []
    private var names = ArticleNames()
    private var files: [StoredFile] = []
    /// The entries of files that are gone.
    private var missing: Set<String> = []
    private var done = 0
    private var total = 0
    private var now = 0

    init(
        _ request: ExportRequest, _ connection: consuming Connection, folders: StoredFolders,
        progress: @escaping ExportRequest.Progress
    ) {
        self.connection = connection
        (user, query) = (request.user, request.query)
        self.folders = folders
        self.progress = progress
    }

    /// As ``ExportRequest/write(to:by:mode:_:progress:)``.
    func write(to path: String, by temporary: String, mode: mode_t) throws -> ExportRequest.Summary {
        try connection.script("begin transaction isolation level repeatable read read only")
        let manifest = try manifest()
        var file = try ZIPFile(at: temporary, modified: now)
        try file.add("manifest.json", Array(manifest.utf8))
        try file.add("index.html", from: index())
        for (table, _) in counts { try file.add("tables/\(table).json", from: rows(of: table)) }
        let pages = ArticlePages()
        for name in names.all { try file.add("articles/" + name) { [self] in try page(pages, name) } }
        for stored in files { try file.add(stored.entry, stored.method, from: content(of: stored)) }
        try file.add("files.json", from: list())
        do {
            try file.write()
            let bytes = try FinishedFile.keep(temporary, as: path, mode: mode)
            try connection.script("rollback")
            return ExportRequest.Summary(
                rows: counts.reduce(0) { $0 + $1.rows }, articles: names.all.count, files: files.count, bytes: bytes)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    // MARK: - Contents

    private func manifest() throws -> String {
        let account = try connection.query(
            """
            select json_build_object('id', id, 'email', email),
                to_char(now() at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'), floor(extract(epoch from now()))::bigint
            from private.personal_account(\(user)::uuid)
            """)
        guard account.count == 1, let owner = account.text(0, 0) else { throw ExportRequest.NoUser() }
        now = account.int(0, 2) ?? 0
        let found = try connection.query(
            "select name, rows from private.personal_counts(\(user)::uuid, \(query?.tree)::jsonb) order by name")
        counts = (0..<found.count).map { (found.text($0, 0) ?? "", found.int($0, 1) ?? 0) }
        try readNames()
        try readFiles()
        total = counts.reduce(0) { $0 + $1.rows } + names.all.count + files.count
        return JSONText.object([
            ("format", JSONText.string("lectern-export")), ("version", "1"),
            ("exported_at", JSONText.string(account.text(0, 1))), ("user", owner),
            ("query", JSONText.string(query?.text)),
            ("tables", JSONText.object(counts.map { ($0.table, String($0.rows)) })),
            ("articles", String(names.all.count)), ("files", String(files.count)),
        ])
    }

    /// Reads the titles of all articles and names their pages. The index needs the names before the pages are written.
    private func readNames() throws {
        let articles = counts.first { $0.table == "public.articles" }?.rows ?? 0
        names = ArticleNames(count: articles)
        let cursor = try readingCursor(withContent: false)
        while let rows = try cursor.next(&connection) {
            for row in 0..<rows.count where rows.text(row, 3) == "true" { names.add(title: rows.text(row, 4)) }
        }
    }

    private func index() -> () throws -> [UInt8]? {
        var cursor: ServerCursor?
        var article = 0
        var isOver = false
        return { [self] in
            if isOver { return nil }
            guard let open = cursor else {
                cursor = try readingCursor(withContent: false)
                return Array(IndexPage.head.utf8)
            }
            guard let rows = try open.next(&connection) else {
                isOver = true
                return Array(IndexPage.foot.utf8)
            }
            var text = ""
            for row in 0..<rows.count {
                var name: String?
                if rows.text(row, 3) == "true" {
                    name = names.all[article]
                    article += 1
                }
                text += IndexPage.entry(
                    title: rows.text(row, 0), url: rows.text(row, 1) ?? "", day: rows.text(row, 2),
                    tags: rows.text(row, 5),
                    article: name)
            }
            // The index does not count as work, but a long one takes time, so the worker must be able to renew its
            // lease.
            try progress(done, total)
            return Array(text.utf8)
        }
    }

    /// A JSON array with one row on each line.
    private func rows(of table: String) -> () throws -> [UInt8]? {
        var cursor: ServerCursor?
        var isFirst = true
        var isOver = false
        return { [self] in
            if isOver { return nil }
            let open =
                try cursor
                ?? ServerCursor(
                    &connection, "select private.personal_rows(\(table), \(user)::uuid, \(query?.tree)::jsonb)")
            cursor = open
            guard let rows = try open.next(&connection) else {
                isOver = true
                return Array((isFirst ? "[]\n" : "\n]\n").utf8)
            }
            var piece: [UInt8] = []
            for row in 0..<rows.count {
                piece += Array((isFirst ? "[\n" : ",\n").utf8)
                if let bytes = rows.bytes(row, 0) { piece += bytes }
                isFirst = false
            }
            try advance(by: rows.count)
            return piece
        }
    }

    /// The position in the cursor of articles. Pages are written in the order in which they are read.
    private final class ArticlePages {
        var cursor: ServerCursor?
        var rows: Rows?
        var next = 0
        /// The name of the page that was just written. A page is written in one piece.
        var written: String?
    }

    private func page(_ pages: ArticlePages, _ name: String) throws -> [UInt8]? {
        if pages.written == name { return nil }
        if pages.rows.map({ pages.next == $0.count }) ?? true {
            let cursor = try pages.cursor ?? readingCursor(withContent: true)
            pages.cursor = cursor
            pages.rows = try cursor.next(&connection)
            pages.next = 0
        }
        guard let rows = pages.rows else { throw PostgresError.broken(reason: "fewer articles than were counted") }
        let row = pages.next
        pages.next += 1
        pages.written = name
        try advance(by: 1)
        return Array(
            ArticlePage(
                title: rows.text(row, 0), url: rows.text(row, 1) ?? "", byline: rows.text(row, 2),
                siteName: rows.text(row, 3),
                published: rows.text(row, 4), lang: rows.text(row, 5), dir: rows.text(row, 6),
                content: rows.text(row, 7) ?? ""
            ).html.utf8)
    }

    private func readingCursor(withContent: Bool) throws(PostgresError) -> ServerCursor {
        try ServerCursor(
            &connection, "select private.personal_reading(\(user)::uuid, \(query?.tree)::jsonb, \(withContent))")
    }

    // MARK: - Files

    private func readFiles() throws {
        let cursor = try ServerCursor(
            &connection, "select private.personal_files(\(user)::uuid, \(query?.tree)::jsonb)")
        while let rows = try cursor.next(&connection) {
            files += (0..<rows.count).compactMap { StoredFile(rows, $0) }
        }
    }

    private func content(of file: StoredFile) -> () throws -> [UInt8]? {
        let reader = FileReader(file.path(in: folders))
        return { [self] in
            let piece: [UInt8]?
            do throws(FileFailure) {
                piece = try reader.next()
            } catch {
                guard error.code == ENOENT else { throw error }
                missing.insert(file.entry)
                piece = nil
            }
            // A large file takes time, so the worker must be able to renew its lease.
            try advance(by: piece == nil ? 1 : 0)
            return piece
        }
    }

    /// A JSON array with one file on each line.
    private func list() -> () throws -> [UInt8]? {
        var next = 0
        var isOver = false
        return { [self] in
            if isOver { return nil }
            guard next < files.count else {
                isOver = true
                return Array((files.isEmpty ? "[]\n" : "\n]\n").utf8)
            }
            let lines = files[next...].prefix(1_000)
            let text = lines.map { $0.json(isMissing: missing.contains($0.entry)) }.joined(separator: ",\n")
            defer { next += lines.count }
            return Array(((next == 0 ? "[\n" : ",\n") + text).utf8)
        }
    }

    private func advance(by rows: Int) throws {
        done += rows
        try progress(done, total)
    }
}
