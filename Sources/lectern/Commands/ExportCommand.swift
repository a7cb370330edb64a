import ArgumentParser
import Export
import ExportFormats
import Glibc
import JSON
import Postgres
import Search
import Settings

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write the data of one user to a file.",
        discussion: """
            Formats:
              zip                  everything: all rows as JSON, each article as an HTML page, all pictures and
                                   documents, and an index of all links; with --query: the links that it finds and
                                   what belongs to them
              markdown             a ZIP with a Markdown file for each link: front matter, article, highlights
              netscape             the bookmarks file of browsers, with collections as folders
              json                 the links with their articles, tags, notes and highlights
              csv                  a row for each link
              highlights-markdown  all highlights in one text
              highlights-csv       a row for each highlight, with the columns of Readwise
            Users get the same files on their account page. Connects with LECTERN_DATABASE_URL. The format zip finds \
            pictures and documents by LECTERN_HOME; run it as the user who runs deploy/run.
            """)

    @Option(help: "Owner of the data: e-mail address or id.")
    var user: String

    @Option(help: "Format of the file: \(ExportFormat.names).")
    var format: ExportFormat

    @Option(help: "Search query: export only the links that it finds, and what belongs to them.")
    var query: String?

    @Option(help: "File to write (default: lectern-<address>-<format> in the working directory).")
    var out: String?

    func validate() throws {
        _ = try parsedQuery()
    }

    private func parsedQuery() throws -> ExportRequest.Query? {
        guard let query, !query.isEmpty else { return nil }
        do {
            let tree = String(decoding: try SearchQuery(parsing: query).json.bytes, as: UTF8.self)
            return .init(text: query, tree: tree)
        } catch {
            throw ValidationError("\(error.message) The error is at character \(error.place) of the query.")
        }
    }

    func run() throws {
        let owner = try AdminAccounts.find(user)
        let path = out ?? format.fileName("lectern-\(owner.email.replacing("/", with: "_"))")
        let isShown = isatty(STDERR_FILENO) == 1
        var shown = -1
        let folders = format == .zip ? try Self.folders() : .none
        let request = ExportRequest(user: owner.id, format: format, query: try parsedQuery())
        do {
            // The temporary file lies beside the final one, because a rename cannot cross file systems.
            let summary = try AdminDatabase.describingErrors {
                // Private from the first byte on.
                umask(0o077)
                return try request.write(
                    to: path, by: "\(path).\(getpid()).part", mode: 0o600, from: folders,
                    try AdminDatabase.connection()
                ) { done, total in
                    let percent = total > 0 ? done * 100 / total : 0
                    guard isShown, percent != shown else { return }
                    shown = percent
                    Terminal.say("\r\(percent) %")
                }
            }
            if isShown { Terminal.say("\r") }
            let rows = "\(summary.rows) \(format == .zip ? "rows" : "links")"
            let files = format == .zip ? "\(summary.files) files, " : ""
            print("\(path): \(rows), \(summary.articles) articles, \(files)\(summary.bytes) bytes")
        } catch let failure as FileFailure {
            throw CommandError("\(path): \(failure)")
        }
    }

    /// The folders of pictures and documents.
    private static func folders() throws -> StoredFolders {
        let environment = Environment.all
        func folder(_ name: String) throws -> String {
            let home = environment["LECTERN_HOME"].flatMap { $0.isEmpty ? nil : "\($0)/\(name)" }
            guard let folder = environment["LECTERN_\(name.uppercased())_DIR"] ?? home else {
                throw CommandError("the folder of \(name) is unknown; load LECTERN_HOME from lectern.env")
            }
            return folder
        }
        return StoredFolders(pictures: try folder("pictures"), documents: try folder("documents"))
    }
}

extension ExportFormat: ExpressibleByArgument {}
