import HTML
import Text

/// What a page says about itself in JSON-LD, meta elements and its title.
///
/// The parser has decoded the references of meta elements and title, once, as a browser does. JSON-LD has none to decode,
/// but many sites escape its texts as if it had.
struct Metadata: Equatable, Sendable {
    var title: String
    var byline: String?
    var excerpt: String?
    var siteName: String?
    var publishedTime: String?

    /// - Parameter mode: Readability decodes once more, whatever a text comes from.
    init(_ document: Document, linked: LinkedData, mode: Mode = .best) {
        let values = MetaValues(document)
        func text(_ linked: String?, else written: () -> String?) -> String? {
            switch mode {
            case .compat: (linked.nonEmpty ?? written()).map(EscapedText.decode)
            case .best: linked.nonEmpty.map(Self.decoded) ?? written()
            }
        }
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

    private static func decoded(_ text: String) -> String {
        CharacterReferences.standard.decoded(EscapedText.withoutNUL(text))
    }
}

/// The contents of the meta elements our rules know, by normalised name; of equal names the last counts.
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

    /// The first of these that has a value.
    func first(_ names: String...) -> String? {
        names.lazy.compactMap { values[$0].nonEmpty }.first
    }
}

/// Names of meta elements, brought to one form: lower case, no white space, `prefix:name`.
enum MetaName {
    private static let propertyPrefixes = ["article", "dc", "dcterm", "og", "twitter"]
    private static let propertyNames = ["author", "creator", "description", "published_time", "title", "site_name"]
    private static let namePrefixes = ["dc", "dcterm", "og", "twitter", "parsely", "weibo:article", "weibo:webpage"]
    private static let names = ["author", "creator", "pub-date", "description", "title", "site_name"]

    /// The first `prefix : name` anywhere in a `property`, which may hold several.
    static func inProperty(_ property: String) -> String? {
        let text = property.utf8.map(lowercased)
        for start in text.indices {
            for prefix in propertyPrefixes where text[start...].starts(with: prefix.utf8) {
                var rest = text[(start + prefix.utf8.count)...].drop(while: WhiteSpace.isASCII)
                guard rest.popFirst() == UInt8(ascii: ":") else { continue }
                rest = rest.drop(while: WhiteSpace.isASCII)
                if let name = propertyNames.first(where: { rest.starts(with: $0.utf8) }) { return prefix + ":" + name }
            }
        }
        return nil
    }

    /// A `name`, which must be one of ours as a whole, with or without prefix.
    static func ofName(_ name: String) -> String? {
        let text = String(decoding: name.utf8.map(lowercased).filter { !WhiteSpace.isASCII($0) }, as: UTF8.self)
        if names.contains(text) { return text }
        for prefix in namePrefixes where text.hasPrefix(prefix) {
            let rest = text.dropFirst(prefix.count)
            guard let separator = rest.first, "-.:".contains(separator), names.contains(String(rest.dropFirst())) else {
                continue
            }
            return prefix + (separator == "." ? ":" : String(separator)) + rest.dropFirst()
        }
        return nil
    }
}

extension Optional<String> {
    /// nil for an empty text too.
    var nonEmpty: String? { self?.isEmpty == true ? nil : self }
}

/// Character references that are still there after parsing, as Readability decodes them.
enum EscapedText {
    private static let named: [String: String] = ["quot": "\"", "amp": "&", "apos": "'", "lt": "<", "gt": ">"]

    /// U+0000, which JSON can smuggle in and databases refuse, becomes U+FFFD as in HTML.
    static func withoutNUL(_ text: String) -> String {
        guard text.utf8.contains(0) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0 == "\0" ? "\u{FFFD}" : $0 }))
    }

    /// The five names of XML first, then numbers; each once. No U+0000.
    static func decode(_ text: String) -> String {
        let text = withoutNUL(text)
        guard text.utf8.contains(UInt8(ascii: "&")) else { return text }
        return replaceReferences(in: replaceReferences(in: text) { named[$0] }, by: character)
    }

    private static func character(_ reference: String) -> String? {
        guard reference.hasPrefix("#") else { return nil }
        let digits = reference.dropFirst()
        let isHexadecimal = digits.first == "x" || digits.first == "X"
        let written = isHexadecimal ? digits.dropFirst() : digits
        guard !written.isEmpty, written.allSatisfy({ isHexadecimal ? $0.isHexDigit : $0.isASCII && $0.isNumber }) else {
            return nil
        }
        let number = UInt32(written, radix: isHexadecimal ? 16 : 10) ?? .max
        let scalar = number == 0 ? nil : Unicode.Scalar(number)
        return String(scalar ?? "\u{FFFD}")
    }

    private static func replaceReferences(in text: String, by replacement: (String) -> String?) -> String {
        var output = ""
        var rest = text[...]
        while let ampersand = rest.firstIndex(of: "&") {
            output += rest[..<ampersand]
            rest = rest[ampersand...]
            // The longest reference that means something has ten characters.
            let window = rest.dropFirst().prefix(12)
            if let end = window.firstIndex(of: ";"),
                let replaced = replacement(String(rest[rest.index(after: ampersand)..<end]))
            {
                output += replaced
                rest = rest[rest.index(after: end)...]
            } else {
                output += "&"
                rest = rest.dropFirst()
            }
        }
        return output + rest
    }
}
