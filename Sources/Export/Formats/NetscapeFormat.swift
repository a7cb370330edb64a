import ArticlePages
import MarkdownFiles

/// The bookmarks file that browsers and bookmark managers import. Collections are folders; a link appears in each of
/// its collections. A note is the description of its bookmark.
struct NetscapeFormat: LinkFormat {
    static let parts = "collections"

    let head = """
        <!DOCTYPE NETSCAPE-Bookmark-file-1>
        <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
        <TITLE>Bookmarks</TITLE>
        <H1>Bookmarks</H1>
        <DL><p>

        """
    var foot: String { folders(to: []) + "</DL><p>\n" }
    /// The folder of the last link.
    private var path: [String] = []

    mutating func piece(of link: ExportedLink) -> [UInt8] {
        var text = folders(to: link.path)
        path = link.path
        let indent = String(repeating: "    ", count: path.count + 1)
        text += "\(indent)<DT><A HREF=\"\(MarkupText.escaped(link.url))\""
        text += " ADD_DATE=\"\(link.savedAt)\" LAST_MODIFIED=\"\(link.changedAt)\""
        text += " TOREAD=\"\(link.text("status") == "unread" ? 1 : 0)\""
        let tags = link.texts("tags")
        if !tags.isEmpty { text += " TAGS=\"\(MarkupText.escaped(tags.joined(separator: ",")))\"" }
        text += ">\(MarkupText.escaped(Self.line(link.title)))</A>\n"
        if let note = link.text("note") { text += "\(indent)<DD>\(MarkupText.escaped(note))\n" }
        return Array(text.utf8)
    }

    /// Leaves and enters folders until this one is open.
    private func folders(to next: [String]) -> String {
        let shared = zip(path, next).prefix { $0 == $1 }.count
        var text = ""
        for depth in stride(from: path.count, to: shared, by: -1) {
            text += String(repeating: "    ", count: depth) + "</DL><p>\n"
        }
        for (depth, name) in next.enumerated().dropFirst(shared) {
            let indent = String(repeating: "    ", count: depth + 1)
            text += "\(indent)<DT><H3>\(MarkupText.escaped(Self.line(name)))</H3>\n\(indent)<DL><p>\n"
        }
        return text
    }

    /// A text in one line.
    private static func line(_ text: String) -> String {
        text.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
