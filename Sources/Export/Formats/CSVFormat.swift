import MarkdownFiles

/// A row for each link, as RFC 4180 says.
struct CSVFormat: LinkFormat {
    static let parts = "links"

    let head = CSV.row(["url", "title", "tags", "created_at", "list", "status", "starred", "note", "collections"])
    let foot = ""

    func piece(of link: ExportedLink) -> [UInt8] {
        Array(
            CSV.row([
                link.url, link.text("title") ?? "",
                link.texts("tags").map { ExportedLink.escaped($0, ",") }.joined(separator: ","),
                link.text("created_at") ?? "", link.text("list") ?? "", link.text("status") ?? "",
                link.isStarred ? "true" : "false", link.text("note") ?? "",
                link.collections(escaping: ",/").joined(separator: ","),
            ]).utf8)
    }
}

/// A row for each highlight, with the columns that Readwise imports.
struct HighlightsCSVFormat: LinkFormat {
    static let parts = "highlights"

    let head = CSV.row(["Highlight", "Title", "Author", "URL", "Note", "Location", "Date"])
    let foot = ""

    func piece(of link: ExportedLink) -> [UInt8] {
        link.highlights.flatMap { highlight in
            CSV.row([
                highlight.quote, link.title, link.text("author") ?? "", link.url, highlight.note ?? "",
                highlight.offset.map(String.init) ?? "", highlight.createdAt,
            ]).utf8
        }
    }
}

/// Comma-separated values. Source: RFC 4180.
enum CSV {
    /// A record with its line break.
    static func row(_ fields: [String]) -> String { fields.map(field).joined(separator: ",") + "\r\n" }

    /// A field, in quotes if it needs them.
    static func field(_ text: String) -> String {
        let needsQuotes = text.utf8.contains { byte in
            [UInt8(ascii: ","), UInt8(ascii: "\""), 0x0A, 0x0D].contains(byte)
        }
        let hasOuterSpace = text.first == " " || text.last == " "
        guard needsQuotes || hasOuterSpace else { return text }
        return "\"" + text.replacing("\"", with: "\"\"") + "\""
    }
}
