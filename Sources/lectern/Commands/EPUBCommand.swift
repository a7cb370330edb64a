import ArgumentParser
import Books
import FoundationEssentials
import Glibc
import JSON
import Processes
import Settings

struct EPUBCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "epub",
        abstract: "Write articles as one book.",
        discussion: """
            The articles follow each other in the order of the ids. A book of one article has the bytes that \
            /books/<link id>.epub has. Pictures that are not stored are left out and counted. Connects with \
            LECTERN_DATABASE_URL, and finds the pictures by LECTERN_HOME.
            """)

    /// Links of the largest book.
    private static let maxLinks = 500

    @Flag(help: "Mark highlights, and list them with the notes at the end of each article.")
    var highlights = false

    @Option(help: "File to write (default: <first link id>.epub in the working directory).")
    var out: String?

    @Option(help: "Folder of the stored pictures (default: pictures in the home).")
    var pictures: String?

    @Flag(help: "Print JSON.")
    var json = false

    @Argument(help: ArgumentHelp("Id of a link that has an article; 1 to 500.", valueName: "LINK_ID"))
    var links: [String]

    func validate() throws {
        guard links.count <= Self.maxLinks else {
            throw ValidationError("A book has at most \(Self.maxLinks) articles.")
        }
        for link in links where UUID(uuidString: link) == nil {
            throw ValidationError("'\(link)' is not the id of a link.")
        }
    }

    func run() throws {
        let environment = Environment.all
        guard
            let folder = pictures ?? environment["LECTERN_PICTURES_DIR"]
                ?? environment["LECTERN_HOME"].map({ $0 + "/pictures" })
        else {
            throw CommandError(
                "the folder of the pictures is unknown; give --pictures, or load LECTERN_HOME from lectern.env")
        }
        let path = out ?? "\(links[0].lowercased()).epub"
        let program = OwnProgram.sibling("lectern-pictures") ?? "lectern-pictures"
        let export = BookExport(pictures: folder, program: program) { try AdminDatabase.run($0) }
        let summary: BookExport.Summary
        do {
            // Private from the first byte on.
            umask(0o077)
            summary = try export.write(links.map { $0.lowercased() }, hasHighlights: highlights, to: path)
        } catch let error as CommandError {
            throw error
        } catch {
            throw CommandError("\(path): \(error)")
        }
        print(json ? Self.json(summary, path) : Self.text(summary, path))
    }

    private static func text(_ summary: BookExport.Summary, _ path: String) -> String {
        let counts =
            "\(path): \(summary.articles) articles, \(summary.pictures - summary.skipped.count) of \(summary.pictures) "
            + "pictures, \(summary.bytes) bytes"
        return ([counts] + summary.skipped.map { "left out: \($0.source) (\($0.reason))" }).joined(separator: "\n")
    }

    private static func json(_ summary: BookExport.Summary, _ path: String) -> String {
        let skipped = summary.skipped.map { picture in
            JSONText.object([
                ("source", JSONText.string(picture.source)), ("reason", JSONText.string(picture.reason)),
            ])
        }
        return JSONText.object([
            ("file", JSONText.string(path)), ("bytes", "\(summary.bytes)"), ("sha256", JSONText.string(summary.hash)),
            ("articles", "\(summary.articles)"), ("pictures", "\(summary.pictures)"),
            ("included", "\(summary.pictures - summary.skipped.count)"),
            ("skipped", "[\(skipped.joined(separator: ","))]"),
        ])
    }
}
