import Text

/// The text of a page with its markup stripped, for pages that are too expensive to parse.
///
/// A single scan over the bytes without building a tree: time is proportional to the page, memory to the text.
/// Comments, scripts, styles and other content that browsers do not display are dropped; each element that is not
/// inline ends a line.
public struct PlainText: Equatable, Sendable {
    /// Text of the first `title` element, on one line; empty if there is none.
    public var title = ""
    /// Non-empty lines, trimmed and with single spaces between words.
    public var lines: [String] = []

    /// - Parameters:
    ///   - html: in UTF-8; invalid bytes are replaced.
    ///   - limit: maximum bytes of text. Each line counts as eight more bytes, because displaying it takes a paragraph.
    public static func of(_ html: [UInt8], limit: Int) -> PlainText {
        var scanner = Scanner(limit: limit)
        html.withUnsafeBufferPointer { scanner.scan($0) }
        return scanner.plain
    }
}

/// Elements that do not end a line: the standard's phrasing content and its presentational predecessors.
private let inline: Set<[UInt8]> = names(
    "a abbr acronym b bdi bdo big cite code data del dfn em font i img input ins kbd label mark nobr q rb rp rt rtc "
        + "ruby s samp small span strike strong sub sup time tt u var wbr")

/// Elements whose content is not markup and not displayed. (The content of `textarea`, `title` and `xmp` is not markup
/// either: `textarea` is dropped, the title is stored separately, and `xmp` is displayed.) Source:
/// https://html.spec.whatwg.org/#parsing-html-fragments
private let hidden: Set<[UInt8]> = names("script style iframe noembed noframes textarea title")

private func names(_ list: String) -> Set<[UInt8]> { Set(list.split(separator: " ").map { Array($0.utf8) }) }

private struct Scanner {
    let limit: Int
    var plain = PlainText()
    private var hasTitle = false
    private var written = 0
    /// The current line: white space collapsed, character references not decoded yet.
    private var line: [UInt8] = []
    private var hasPendingSpace = false
    /// The page is literal text up to this index.
    private var literalEnd = 0
    /// Number of open `svg` elements. Their titles belong to images.
    private var openSVGs = 0

    init(limit: Int) { self.limit = limit }

    private static let lessThan = UInt8(ascii: "<"), greaterThan = UInt8(ascii: ">"), slash = UInt8(ascii: "/")
    private static let title = Array("title".utf8), xmp = Array("xmp".utf8), plaintext = Array("plaintext".utf8),
        svg = Array("svg".utf8)

    mutating func scan(_ page: UnsafeBufferPointer<UInt8>) {
        var at = 0
        // A character can be shorter than its reference, so the current line counts with its undecoded length.
        while at < page.count, written + line.count < limit {
            if at < literalEnd {
                addLiteral(page[at])
                at += 1
            } else if page[at] == Self.lessThan, let end = skipMarkup(page, from: at) {
                at = end
            } else {
                add(page[at])
                at += 1
            }
        }
        endLine()
    }

    // MARK: - Markup

    /// - Parameter start: index of a `<`.
    /// - Returns: the index at which to continue; nil if this is text.
    private mutating func skipMarkup(_ page: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        guard start + 1 < page.count else { return nil }
        switch page[start + 1] {
        case UInt8(ascii: "!"), UInt8(ascii: "?"):
            let isComment =
                start + 3 < page.count && page[start + 2] == UInt8(ascii: "-") && page[start + 3] == UInt8(ascii: "-")
            return isComment
                ? Self.end(ofComment: page, from: start + 4)
                : Self.next(Self.greaterThan, in: page, from: start + 2) + 1
        case Self.slash:
            guard start + 2 < page.count, isASCIILetter(page[start + 2]) else { return nil }
            let name = Self.name(in: page, from: start + 2)
            if !inline.contains(name) { endLine() }
            if name == Self.svg { openSVGs = max(0, openSVGs - 1) }
            return Self.end(ofTag: page, from: start + 2 + name.count)
        case let byte where isASCIILetter(byte):
            let name = Self.name(in: page, from: start + 1)
            let content = Self.end(ofTag: page, from: start + 1 + name.count)
            if !inline.contains(name) { endLine() }
            if name == Self.svg, page[content - 2] != Self.slash { openSVGs += 1 }
            if name == Self.xmp { literalEnd = Self.end(ofContent: name, in: page, from: content) }
            if name == Self.plaintext { literalEnd = page.count }
            return hidden.contains(name) ? skip(name, in: page, from: content) : content
        default:
            return nil
        }
    }

    /// Returns the index after `-->` or `--!>`, or the end of the page.
    ///
    /// - Parameter start: index after `<!--`, whose hyphens may be part of `-->` but not of `--!>`.
    private static func end(ofComment page: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var (at, hyphens) = (start, 2)
        while at < page.count {
            let byte = page[at]
            if byte == greaterThan, hyphens >= 2 { return at + 1 }
            if byte == UInt8(ascii: "!"), hyphens >= 2, at >= start + 2, at + 1 < page.count,
                page[at + 1] == greaterThan
            {
                return at + 2
            }
            hyphens = byte == UInt8(ascii: "-") ? hyphens + 1 : 0
            at += 1
        }
        return page.count
    }

    /// Returns the index of the next such byte; if there is none, the last index of the page, so that the index after
    /// it is the page's end.
    private static func next(_ byte: UInt8, in page: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        page[start...].firstIndex(of: byte) ?? page.count - 1
    }

    /// Returns the index after the first `>` outside quotes, or the end of the page.
    private static func end(ofTag page: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var quote: UInt8?
        var isValue = false
        for at in start..<page.count {
            let byte = page[at]
            if let open = quote {
                if byte == open { quote = nil }
            } else if byte == greaterThan {
                return at + 1
            } else if isValue, byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") {
                quote = byte
                isValue = false
            } else if !WhiteSpace.isASCII(byte) {
                // A quote only opens a quoted value as the value's first character.
                isValue = byte == UInt8(ascii: "=")
            }
        }
        return page.count
    }

    /// Returns the index after the end tag of an element whose content is not markup.
    private mutating func skip(_ name: [UInt8], in page: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let at = Self.end(ofContent: name, in: page, from: start)
        if name == Self.title, !hasTitle, openSVGs == 0 {
            hasTitle = true
            for byte in page[start..<at].prefix(limit) { add(byte) }
            plain.title = takeLine()
        }
        return at < page.count ? Self.end(ofTag: page, from: at + 2 + name.count) : at
    }

    /// Returns the start of the end tag of an element whose content is not markup, or the end of the page.
    private static func end(ofContent name: [UInt8], in page: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var at = start
        while at < page.count {
            if page[at] == lessThan, at + 1 < page.count, page[at + 1] == slash,
                Self.name(in: page, from: at + 2, limit: name.count + 1) == name
            {
                break
            }
            at += 1
        }
        return at
    }

    /// Returns a tag's name in lower case.
    private static func name(in page: UnsafeBufferPointer<UInt8>, from start: Int, limit: Int = 20) -> [UInt8] {
        page[start...].prefix(limit).prefix { !WhiteSpace.isASCII($0) && $0 != greaterThan && $0 != slash }
            .map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    // MARK: - Text

    /// Adds a byte of literal text. An ampersand is escaped, because the line is decoded later.
    private mutating func addLiteral(_ byte: UInt8) {
        add(byte)
        if byte == UInt8(ascii: "&") { line += Array("amp;".utf8) }
    }

    private mutating func add(_ byte: UInt8) {
        // HTML parsers drop NUL.
        if byte == 0 { return }
        if WhiteSpace.isASCII(byte) {
            hasPendingSpace = !line.isEmpty
            return
        }
        if hasPendingSpace { line.append(0x20) }
        hasPendingSpace = false
        line.append(byte)
    }

    private mutating func takeLine() -> String {
        defer {
            line.removeAll(keepingCapacity: true)
            hasPendingSpace = false
        }
        guard !line.isEmpty else { return "" }
        let text = CharacterReferences.standard.decoded(String(decoding: line, as: UTF8.self))
        // Replaces carriage returns that were written as references; a page would treat them as line ends.
        return WhiteSpace.trim(
            text.utf8.contains(0x0D) ? String(decoding: text.utf8.map { $0 == 0x0D ? 0x20 : $0 }, as: UTF8.self) : text)
    }

    private mutating func endLine() {
        let text = takeLine()
        guard !text.isEmpty else { return }
        written += text.utf8.count + 8
        plain.lines.append(text)
    }
}
