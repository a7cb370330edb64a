import HTML

/// The metadata that Mozilla Readability reads from JSON-LD, meta elements and the title. Used in mode `compat`; users
/// get ``PageFacts``.
struct Metadata: Equatable, Sendable {
    var title: String
    var byline: String?
    var excerpt: String?
    var siteName: String?
    var publishedTime: String?

    init(_ document: Document, linked: LinkedData) {
        let values = MetaValues(document)
        // Readability decodes character references again after the parser did.
        func text(_ linked: String?, else written: () -> String?) -> String? { (linked.nonEmpty ?? written()).map(EscapedText.decode) }
        let title = text(linked.title) {
            values.first(
                "dc:title", "dcterm:title", "og:title", "weibo:article:title", "weibo:webpage:title", "title",
                "twitter:title", "parsely-title")
                ?? PageTitle.of(document)
        }
        self.title = title ?? ""
        byline = text(linked.byline) {
            values.first("dc:creator", "dcterm:creator", "author", "parsely-author")
                ?? values.first("article:author").flatMap { WebAddress($0) == nil ? $0 : nil }
        }
        excerpt = text(linked.excerpt) {
            values.first(
                "dc:description", "dcterm:description", "og:description", "weibo:article:description",
                "weibo:webpage:description", "description", "twitter:description")
        }
        siteName = text(linked.siteName) { values.first("og:site_name") }
        publishedTime = text(linked.datePublished) { values.first("article:published_time", "parsely-pub-date") }
    }
}

/// The contents of the meta elements that the rules use, by normalized name. If a name occurs more than once, the last
/// one counts.
struct MetaValues: Sendable {
    private var values: [String: String] = [:]

    init(_ document: Document) {
        for meta in document.elements([.meta], below: document.root) {
            guard let content = document.attribute(meta, .content), !content.isEmpty else { continue }
            let value = WhiteSpace.trim(content)
            if let property = document.attribute(meta, .property), let name = MetaName.inProperty(property) {
                values[name] = value
            } else if let name = document.attribute(meta, .name).flatMap(MetaName.ofName) {
                values[name] = value
            }
        }
    }

    /// Returns the value of the first of these names that has one.
    func first(_ names: String...) -> String? {
        names.lazy.compactMap { values[$0].nonEmpty }.first
    }
}

/// Normalizes names of meta elements: lowercase, no white space, `prefix:name`.
enum MetaName {
    private static let propertyPrefixes = ["article", "dc", "dcterm", "og", "twitter"]
    private static let propertyNames = ["author", "creator", "description", "published_time", "title", "site_name"]
    private static let namePrefixes = ["dc", "dcterm", "og", "twitter", "parsely", "weibo:article", "weibo:webpage"]
    private static let names = ["author", "creator", "pub-date", "description", "title", "site_name"]

    /// Returns the first `prefix : name` anywhere in a `property`, which may hold several.
    static func inProperty(_ property: String) -> String? {
        let text = property.utf8.map(lowercased)
        for start in text.indices {
            for prefix in propertyPrefixes where text[start...].starts(with: prefix.utf8) {
                var rest = withoutSpaceAtStart(text[(start + prefix.utf8.count)...])
                guard rest.popFirst() == UInt8(ascii: ":") else { continue }
                rest = withoutSpaceAtStart(rest)
                if let name = propertyNames.first(where: { rest.starts(with: $0.utf8) }) { return prefix + ":" + name }
            }
        }
        return nil
    }

    /// Returns the normalized form of a `name` attribute, which must be a known name as a whole, with or without a
    /// prefix. White space may separate the parts.
    static func ofName(_ name: String) -> String? {
        let text = WhiteSpace.trim(name.utf8.map(lowercased))
        if let plain = names.first(where: { text.elementsEqual($0.utf8) }) { return plain }
        for prefix in namePrefixes where text.starts(with: prefix.utf8) {
            var rest = withoutSpaceAtStart(text.dropFirst(prefix.utf8.count))
            guard let byte = rest.popFirst(), let separator = separators[byte] else { continue }
            rest = withoutSpaceAtStart(rest)
            if let name = names.first(where: { rest.elementsEqual($0.utf8) }) { return prefix + separator + name }
        }
        return nil
    }

    private static let separators = [UInt8(ascii: ":"): ":", UInt8(ascii: "."): ":", UInt8(ascii: "-"): "-"]

    private static func withoutSpaceAtStart(_ text: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let spaces = text.withUnsafeBufferPointer { bytes in
            var end = 0
            while end < bytes.count {
                let space = WhiteSpace.length(in: bytes, at: end)
                if space == 0 { break }
                end += space
            }
            return end
        }
        return text.dropFirst(spaces)
    }
}

extension Optional<String> {
    /// nil if the text is empty.
    var nonEmpty: String? { self?.isEmpty == true ? nil : self }
}

/// Decodes character references that remain after parsing, as Readability does.
enum EscapedText {
    private static let named: [(name: String, character: String)] = [
        ("quot;", "\""), ("amp;", "&"), ("apos;", "'"), ("lt;", "<"), ("gt;", ">"),
    ]

    /// Replaces U+0000 with U+FFFD, as HTML does. JSON can contain it; databases refuse it.
    static func withoutNUL(_ text: String) -> String {
        guard text.utf8.contains(0) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }

    /// Decodes the five names of XML first, then numeric references, each once. The result has no U+0000.
    static func decode(_ text: String) -> String {
        let text = withoutNUL(text)
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        let once = replaceReferences(in: Array(text.utf8)) { rest in
            named.first { rest.starts(with: $0.name.utf8) }.map { ($0.name.utf8.count, $0.character) }
        }
        return String(decoding: replaceReferences(in: once, by: character), as: UTF8.self)
    }

    /// Returns the character of a numeric reference after `&`, and the length of the reference.
    private static func character(_ rest: ArraySlice<UInt8>) -> (length: Int, text: String)? {
        guard rest.first == UInt8(ascii: "#") else { return nil }
        let isHexadecimal = rest.dropFirst().first.map(lowercased) == UInt8(ascii: "x")
        let start = rest.startIndex + (isHexadecimal ? 2 : 1)
        var number: UInt32 = 0
        var end = start
        while end < rest.endIndex, let digit = digit(rest[end], isHexadecimal) {
            // Clamped: beyond the last code point the result no longer changes.
            number = min(number * (isHexadecimal ? 16 : 10) + digit, 0x110000)
            end += 1
        }
        guard end > start, end < rest.endIndex, rest[end] == UInt8(ascii: ";") else { return nil }
        let scalar = number == 0 ? nil : Unicode.Scalar(number)
        return (end + 1 - rest.startIndex, String(scalar ?? "\u{FFFD}"))
    }

    private static func digit(_ byte: UInt8, _ isHexadecimal: Bool) -> UInt32? {
        switch lowercased(byte) {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(byte - UInt8(ascii: "0"))
        case UInt8(ascii: "a")...UInt8(ascii: "f") where isHexadecimal: UInt32(lowercased(byte) - UInt8(ascii: "a") + 10)
        default: nil
        }
    }

    private static func replaceReferences(
        in text: [UInt8], by replacement: (ArraySlice<UInt8>) -> (length: Int, text: String)?
    ) -> [UInt8] {
        var output: [UInt8] = []
        var rest = text[...]
        while let ampersand = rest.firstIndex(of: UInt8(ascii: "&")) {
            output += rest[..<ampersand]
            rest = rest[(ampersand + 1)...]
            if let replaced = replacement(rest) {
                output += replaced.text.utf8
                rest = rest.dropFirst(replaced.length)
            } else {
                output.append(UInt8(ascii: "&"))
            }
        }
        return output + rest
    }
}
