import ArgumentParser
import Links
import Postgres

struct SaveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "save",
        abstract: "Save links for a user, as the API does.",
        discussion: """
            For each address, prints whether the page is new or was saved already. A page that is saved already moves \
            to the top of the list; tags are added to those it has. The jobs process fetches the page afterwards. \
            Exits with 1 if an address could not be saved; the others are saved. Connects with LECTERN_DATABASE_URL.
            """)

    @Argument(help: "Addresses of pages: http or https.")
    var urls: [String]

    @Option(help: "Owner of the links: e-mail address or id.")
    var user: String

    @Option(name: .customLong("tag"), help: "Name of a tag for the links; may be repeated.")
    var tags: [String] = []

    @Flag(help: "Save to Archive instead of To Read.")
    var archive = false

    @Option(
        help: ArgumentHelp(
            "File with the page as a browser shows it, or - for standard input; for one address.", valueName: "file"))
    var html: String?

    @Flag(help: "Print JSON: url, id, is_new, list and state of each link.")
    var json = false

    func validate() throws {
        // The length of links.raw_url.
        for url in urls where WebAddress(url)?.isHTTP != true || url.unicodeScalars.count > 65_536 {
            throw ValidationError("\(Listing.plain(String(url.prefix(200)))) is not an http or https address.")
        }
        for tag in tags where !(1...100).contains(tag.unicodeScalars.count) || tag.allSatisfy(\.isWhitespace) {
            throw ValidationError("--tag takes 1 to 100 characters.")
        }
        if html != nil && urls.count != 1 { throw ValidationError("--html takes the page of one address.") }
    }

    func run() throws {
        let owner = try AdminAccounts.find(user)
        let page = try html.map { try SentPage($0).html }
        let save = SaveAsUser(owner.id, list: archive ? "archive" : nil, tags: tags, html: page)
        var connection = try AdminDatabase.connection()
        var saved: [SavedLink] = []
        var hasFailed = false
        for url in urls {
            do throws(PostgresError) {
                let link = try save(url, over: &connection)
                saved.append(link)
                if !json { print("\(link.isNew ? "saved" : "already saved") \(Listing.plain(url))") }
            } catch {
                hasFailed = true
                StandardStreams.printError("lectern: \(Listing.plain(url)): \(AdminDatabase.message(for: error))")
            }
        }
        if json, !saved.isEmpty { print("[\(saved.map(\.json).joined(separator: ", "))]") }
        if hasFailed { throw ExitCode(1) }
    }
}
