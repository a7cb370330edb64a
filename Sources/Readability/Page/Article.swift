import HTML
import JSON

/// An article extracted from a page. The properties are those of the object that Mozilla Readability returns.
public struct Article: Equatable, Sendable {
    public var title: String
    public var byline: String?
    /// `ltr`, `rtl`, `auto`, or any other value of the page's `dir` attribute.
    public var dir: String?
    /// In mode `best` the language of the text (BCP 47). In mode `compat` the `lang` attribute of the `html` element,
    /// as written.
    public var lang: String?
    /// The article as HTML with absolute URLs. It is not safe to show: pass it through ``HTML/Sanitizer`` first.
    public var content: String
    /// The plain text of `content`. Blocks are separated by white space.
    public var textContent: String
    public var excerpt: String?
    public var siteName: String?
    /// As written in the page's metadata.
    public var publishedTime: String?
    /// Whether ``Readerable`` takes the unchanged page for an article.
    public var readerable: Bool

    /// nil in mode `compat`.
    public var confidence: ArticleConfidence?

    /// Further metadata. nil in mode `compat`, which returns only what Readability returns.
    public var facts: ArticleMetadata?

    /// Length of `textContent` in UTF-16 code units.
    public var length: Int {
        // `utf16.count` would build and keep an index (breadcrumbs) inside the string.
        textContent.utf8.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + ($1 >= 0xF0 ? 2 : 1) }
    }

    /// The members of the article's JSON object, named as in Readability's result.
    public var members: [JSON.Member] {
        func text(_ value: String?) -> JSON { value.map(JSON.string) ?? .null }
        return [
            .init("title", .string(title)), .init("byline", text(byline)), .init("dir", text(dir)),
            .init("lang", text(lang)), .init("content", .string(content)), .init("textContent", .string(textContent)),
            .init("length", .number(Double(length))), .init("excerpt", text(excerpt)),
            .init("siteName", text(siteName)),
            .init("publishedTime", text(publishedTime)), .init("readerable", .bool(readerable)),
        ] + (confidence.map { [.init("confidence", .string($0.rawValue))] } ?? []) + (facts?.members ?? [])
    }
}
