import ArgumentParser
import Clippings
import FoundationEssentials
import Glibc

struct ImportHighlightsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Add the highlights in a file of an e-reader to a user's articles.",
        discussion: """
            Reads My Clippings.txt of a Kindle, and metadata.epub.lua and the exports of KOReader (JSON, Markdown, \
            HTML, My Clippings). A highlight belongs to the article or the book whose id is in the file, or else to \
            those with the same title, and is added where the article has its text. Highlights that are there already \
            are not added again. Those that were not found are listed with the reason. Connects with \
            LECTERN_DATABASE_URL.
            """)

    @Option(help: "Owner of the articles: e-mail address or id.")
    var user: String

    @Flag(help: "Print JSON: highlights, added, known, unmatched, and the rejects with title, quote and reason.")
    var json = false

    @Argument(help: ArgumentHelp("File with highlights, at most 20 MB.", valueName: "FILE"))
    var file: String

    func run() throws {
        let books: [ClippedBook]
        do {
            books = try ClippingsFile.books(in: try content())
        } catch let failure as ClippingsFile.Failure {
            throw CommandError("\(file): \(failure)")
        }
        let owner = try AdminAccounts.find(user)
        let result = try ClippingsImport(owner: owner.id).add(books)
        print(json ? result.json : result.text)
    }

    private func content() throws -> [UInt8] {
        var status = stat()
        guard stat(file, &status) != 0 || status.st_size <= ClippingsFile.maxBytes else {
            throw CommandError("\(file): a file with highlights has at most 20 MB")
        }
        guard let content = FileManager.default.contents(atPath: file) else {
            throw CommandError("cannot read \(file)")
        }
        return Array(content)
    }
}
