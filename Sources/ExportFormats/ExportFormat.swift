/// The format of an export.
public enum ExportFormat: String, CaseIterable, Sendable {
    /// All rows as JSON, each article as an HTML page, and the files of pictures and documents.
    case zip
    /// A ZIP of one Markdown file for each link, with front matter.
    case markdown
    /// The bookmarks file of browsers.
    case netscape
    /// The links with their articles, tags, notes and highlights.
    case json
    /// A row for each link.
    case csv
    case highlightsMarkdown = "highlights-markdown"
    /// The columns that Readwise imports.
    case highlightsCSV = "highlights-csv"

    /// The end of the file's name, without a point.
    public var fileExtension: String {
        switch self {
        case .zip, .markdown: "zip"
        case .netscape: "html"
        case .json: "json"
        case .csv, .highlightsCSV: "csv"
        case .highlightsMarkdown: "md"
        }
    }

    /// The name of a downloaded file: `name` itself for a zip, and with the format for the others.
    public func fileName(_ name: String) -> String {
        "\(name)\(self == .zip ? "" : "-\(rawValue)").\(fileExtension)"
    }

    public var contentType: String {
        switch self {
        case .zip, .markdown: "application/zip"
        case .netscape: "text/html; charset=utf-8"
        case .json: "application/json"
        case .csv, .highlightsCSV: "text/csv; charset=utf-8"
        case .highlightsMarkdown: "text/markdown; charset=utf-8"
        }
    }

    /// The names of all formats, as an error or a help text lists them.
    public static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }
}
