/// An article that came without a page, and what is known of it. It is read like the page that a client has sent.
public struct ArticleInPage {
    /// HTML. A whole page stays as it is.
    public var content: String
    public var title: String?
    public var author: String?
    public var description: String?
    public var siteName: String?
    /// An address.
    public var image: String?
    /// In ISO 8601.
    public var published: String?
    public var lang: String?
    /// `ltr`, `rtl` or `auto`.
    public var direction: String?

    public init(content: String) { self.content = content }

    public var html: String {
        guard !content.prefix(1_000).lowercased().contains("<html") else { return content }
        func meta(_ attribute: String, _ name: String, _ value: String?) -> String {
            value.map { "<meta \(attribute)=\"\(name)\" content=\"\(Self.escaped($0))\">" } ?? ""
        }
        let head = [
            title.map { "<title>\(Self.escaped($0))</title>" } ?? "", meta("name", "author", author),
            meta("name", "description", description), meta("property", "og:site_name", siteName),
            meta("property", "og:image", image), meta("property", "article:published_time", published),
        ]
        let lang = lang.map { " lang=\"\(Self.escaped($0))\"" } ?? ""
        let direction = direction.map { " dir=\"\(Self.escaped($0))\"" } ?? ""
        return "<!doctype html><html\(lang)\(direction)><head>\(head.joined())</head><body>\(content)</body></html>"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing("\"", with: "&quot;")
    }
}
