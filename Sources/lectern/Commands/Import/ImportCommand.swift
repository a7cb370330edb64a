import ArgumentParser
import FoundationEssentials
import Glibc
import HTTP
import ImportFormats
import JSON
import Postgres
import Settings

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import a file for a user, as the API does.",
        discussion: """
            A file that another service has exported, or a list of addresses, becomes links; a PDF, EPUB, HTML, \
            Markdown or text file becomes a link with its article. The jobs process reads the file; the command waits \
            for that, but not for the pages of the links. Entries that were not imported are listed with the reason. A \
            second import of the same file imports nothing. With --watch the command imports every file of a folder, \
            now and whenever one is added or changed, until it is stopped. Connects with LECTERN_DATABASE_URL, and \
            finds the folder of imports by LECTERN_HOME; run it as the user who runs deploy/run.
            """)

    @Option(help: "Owner of the links: e-mail address or id.")
    var user: String

    @Option(help: "Format of the file (default: recognised by its content): \(ImportFormat.names).")
    var format: String?

    @Flag(
        help: "Print JSON: id, format, rows, imported, duplicate, rejected, and the rejects with row, url and reason.")
    var json = false

    @Option(
        help: ArgumentHelp(
            "Import the files of this folder and its subfolders, now and whenever one is added or changed.",
            valueName: "DIR"))
    var watch: String?

    @Argument(help: ArgumentHelp("File to import, at most 1 GB.", valueName: "FILE"))
    var file: String?

    func validate() throws {
        guard (file == nil) != (watch == nil) else {
            throw ValidationError("Name a file to import, or a folder with --watch.")
        }
        if let format, ImportFormat(rawValue: format) == nil {
            throw ValidationError("--format takes one of \(ImportFormat.names).")
        }
    }

    func run() throws {
        let owner = try AdminAccounts.find(user)
        let importing = FileImport(folder: try Self.folder(), owner: owner.id)
        if let watch {
            try WatchedFolder(path: watch).run { path in try report(importing.run(path, format: format), of: path) }
        } else if let file {
            try report(importing.run(file, format: format), of: nil)
        }
    }

    /// - Parameter path: the file of a watched folder.
    private func report(_ result: FileImport.Result, of path: String?) throws {
        guard result.state != "failed" else { throw CommandError(result.reason ?? "the import has failed") }
        print(json ? result.json : (path.map { "\(Listing.plain($0)): " } ?? "") + result.text)
        if path != nil { fflush(nil) }
    }

    private static func folder() throws -> String {
        let environment = Environment.all
        guard
            let folder = environment["LECTERN_IMPORTS_DIR"] ?? environment["LECTERN_HOME"].map({ $0 + "/imports" })
        else { throw CommandError("the folder of imports is unknown; load LECTERN_HOME from lectern.env") }
        return folder
    }
}
