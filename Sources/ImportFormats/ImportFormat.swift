/// The formats of files that can be imported. The raw values are names of the API.
public enum ImportFormat: String, Sendable, CaseIterable {
    /// A PDF, EPUB, HTML, Markdown or text file that is a link itself.
    case document
    case pocketCSV = "pocket-csv"
    case pocketHTML = "pocket-html"
    case instapaper, omnivore, wallabag, netscape, readwise, pinboard, raindrop, shaarli, matter, linkwarden, karakeep
    case linkding, chrome, firefox, opml, urls, markdown
    /// The personal export.
    case lectern

    /// All names, for messages and help.
    public static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
