import Charsets
import JSON

/// Files with highlights of e-readers: those of Kindles and of KOReader.
///
/// The settings page reads the same files in the browser; see `web/settings/clippings`.
public enum ClippingsFile {
    /// Bytes of the largest file.
    public static let maxBytes = 20_000_000
    /// The most highlights of a file.
    static let maxClippings = 20_000

    public enum Failure: Error, Equatable, CustomStringConvertible {
        case unknownFormat, damaged
        case tooManyClippings

        public var description: String {
            switch self {
            case .unknownFormat: "Lectern does not recognise this as a file with highlights"
            case .damaged: "the file is damaged"
            case .tooManyClippings: "the file has more than \(maxClippings) highlights; split it first"
            }
        }
    }

    /// Reads a file; its format is recognised by its content.
    ///
    /// - Returns: the books with highlights. Bookmarks and notes without a passage are left out.
    public static func books(in file: [UInt8]) throws(Failure) -> [ClippedBook] {
        let books = try read(text(of: file)).compactMap { book -> ClippedBook? in
            var book = book
            book.clippings.removeAll { !$0.quote.contains { !$0.isWhitespace } }
            return book.clippings.isEmpty ? nil : book
        }
        guard books.reduce(0, { $0 + $1.clippings.count }) <= maxClippings else { throw .tooManyClippings }
        return books
    }

    private static func read(_ text: String) throws(Failure) -> [ClippedBook] {
        if text.hasPrefix("{") {
            guard let json = JSON(parsing: text.utf8) else { throw .damaged }
            return KOReaderJSON.books(in: json)
        }
        if LuaTable.begins(text) {
            guard let table = LuaTable(parsing: text) else { throw .damaged }
            return [KOReaderSidecar.book(in: table)]
        }
        if KOReaderHTML.begins(text) { return try KOReaderHTML.books(in: text) }
        // A line feed after a carriage return is one Character in Swift, and a line of its own nowhere.
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
        if lines.contains(where: KindleClippings.isSeparator) { return KindleClippings.books(in: lines) }
        if lines.contains(where: KOReaderMarkdown.isPlace) { return KOReaderMarkdown.books(in: lines) }
        throw .unknownFormat
    }

    /// The text without a byte order mark and without white space before it. It is UTF-8, unless a byte order mark says
    /// otherwise: editors of Windows write UTF-16.
    private static func text(of file: [UInt8]) -> String {
        let text = Charsets.decode(file, headerLabel: "utf-8").text
        return String(text.drop { $0.isWhitespace || $0 == "\u{FEFF}" })
    }

    /// The last part of a path, without `.epub`.
    static func title(ofPath path: String) -> String {
        let name = path.split(separator: "/").last.map(String.init) ?? ""
        return name.lowercased().hasSuffix(".epub") ? String(name.dropLast(5)) : name
    }

    /// The colours of highlights by those of KOReader.
    static let colors = [
        "yellow": "yellow", "green": "green", "olive": "green", "blue": "blue", "cyan": "blue", "purple": "purple",
        "red": "pink", "orange": "orange",
    ]
}
