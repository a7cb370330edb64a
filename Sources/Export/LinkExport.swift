import Glibc
import HTML
import MarkdownFiles
import Postgres
import ZIP

/// A user's links in one of the formats that other programs read.
///
/// Everything is read in one transaction, and so is the state of one moment. One thread's own.
final class LinkExport {
    private let request: ExportRequest
    private let progress: ExportRequest.Progress
    private var connection: Connection
    private var total = 0
    private var links = 0
    private var articles = 0

    init(
        _ request: ExportRequest, _ connection: consuming Connection, progress: @escaping ExportRequest.Progress
    ) {
        self.request = request
        self.connection = connection
        self.progress = progress
    }

    /// As ``ExportRequest/write(to:by:mode:_:progress:)``.
    func write(to path: String, by temporary: String, mode: mode_t) throws -> ExportRequest.Summary {
        try connection.script("begin transaction isolation level repeatable read read only")
        let account = try connection.query("select from private.personal_account(\(request.user)::uuid)")
        guard account.count == 1 else { throw ExportRequest.NoUser() }
        do {
            switch request.format {
            case .netscape: try write(NetscapeFormat(), to: temporary)
            case .json: try write(JSONFormat(), to: temporary)
            case .csv: try write(CSVFormat(), to: temporary)
            case .highlightsMarkdown: try write(HighlightsMarkdownFormat(), to: temporary)
            case .highlightsCSV: try write(HighlightsCSVFormat(), to: temporary)
            case .markdown: try writeMarkdown(to: temporary)
            case .zip: preconditionFailure("PersonalArchive writes the format zip")
            }
            let bytes = try FinishedFile.keep(temporary, as: path, mode: mode)
            try connection.script("rollback")
            return ExportRequest.Summary(rows: links, articles: articles, bytes: bytes)
        } catch {
            unlink(temporary)
            throw error
        }
    }

    // MARK: - One text file

    private func write<Format: LinkFormat>(_ format: Format, to path: String) throws {
        var format = format
        let reader = try LinkReader(request, parts: Format.parts, &connection)
        total = reader.total
        var file = try TextFile(path)
        try file.write(Array(format.head.utf8))
        while let link = try reader.next(&connection) {
            try file.write(format.piece(of: link))
            try advance(link)
        }
        try file.write(Array(format.foot.utf8))
        try file.close()
    }

    // MARK: - A file for each link

    /// Reads the links twice, because an archive needs the names of its entries before their content.
    private func writeMarkdown(to path: String) throws {
        let names = try LinkReader(request, parts: "links", &connection)
        total = names.total
        let moment = try connection.query("select floor(extract(epoch from now()))::bigint").int(0, 0) ?? 0
        var file = try ZIPFile(at: path, modified: moment)
        let contents = Contents()
        var isEmpty = true
        while let link = try names.next(&connection) {
            isEmpty = false
            var isWritten = false
            try file.add(MarkdownFile(link).name) { [self] in
                if isWritten { return nil }
                isWritten = true
                return try nextFile(contents)
            }
        }
        // libzip writes no archive without entries.
        if isEmpty { try file.add("README.md", Array("There are no links in this export.\n".utf8)) }
        try file.write()
    }

    /// The position in the links with their articles.
    private final class Contents {
        var reader: LinkReader?
    }

    private func nextFile(_ contents: Contents) throws -> [UInt8] {
        let reader = try contents.reader ?? LinkReader(request, parts: "articles", &connection)
        contents.reader = reader
        guard let link = try reader.next(&connection) else {
            throw PostgresError.broken(reason: "fewer links than were counted")
        }
        try advance(link)
        return Array(MarkdownFile(link, article: link.content.map(Markdown.render(article:))).text.utf8)
    }

    private func advance(_ link: ExportedLink) throws {
        links += 1
        if link.content != nil { articles += 1 }
        try progress(links, max(total, links))
    }
}
