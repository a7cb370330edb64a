import HTML

/// An article taken out of a page. The properties are those of Mozilla Readability's answer.
public struct Article: Equatable, Sendable {
    public var title: String
    public var byline: String?
    /// `ltr`, `rtl`, `auto`, or whatever the page wrote.
    public var dir: String?
    /// Language of the page's document element, as written.
    public var lang: String?
    /// The article as HTML with absolute addresses. Not yet safe to show: it goes through ``HTML/Sanitizer`` first.
    public var content: String
    /// Plain text of `content`, blocks parted by white space.
    public var textContent: String
    public var excerpt: String?
    public var siteName: String?
    /// As written in the page's metadata.
    public var publishedTime: String?
    /// The quick test of the page as it came said that it is probably an article.
    public var readerable: Bool

    /// What the page says about itself besides; nil in mode `compat`, which has Readability's answers alone.
    public var facts: ArticleMetadata?

    /// Length of `textContent` in UTF-16 code units.
    public var length: Int {
        // `utf16.count` would leave marks in the string for later.
        textContent.utf8.reduce(0) { $1 & 0xC0 == 0x80 ? $0 : $0 + ($1 >= 0xF0 ? 2 : 1) }
    }

    /// The members of the article's JSON object, named as in Readability's answer.
    public var members: [JSON.Member] {
        func text(_ value: String?) -> JSON { value.map(JSON.string) ?? .null }
        return [
            .init("title", .string(title)), .init("byline", text(byline)), .init("dir", text(dir)),
            .init("lang", text(lang)), .init("content", .string(content)), .init("textContent", .string(textContent)),
            .init("length", .number(Double(length))), .init("excerpt", text(excerpt)),
            .init("siteName", text(siteName)),
            .init("publishedTime", text(publishedTime)), .init("readerable", .bool(readerable)),
        ] + (facts?.members ?? [])
    }
}
