import HTML

/// The feeds that a web page names in its head.
public enum FeedLinks {
    private static let types: Set<String> = ["application/rss+xml", "application/atom+xml", "application/feed+json"]
    /// Bytes of a page in which its head is expected, and the number of feeds that are returned.
    private static let (maxHead, maxFeeds) = (1 << 19, 20)

    /// - Parameter url: of the page.
    /// - Returns: the addresses in their order; feeds of comments come last.
    public static func find(inPage html: String, url: String) -> [String] {
        guard let page = try? Document(parsing: Array(html.utf8.prefix(maxHead))) else { return [] }
        let base =
            page.elements([.base], below: page.root).lazy
            .compactMap { page.attribute($0, named: "href") }.compactMap { EntryDraft.address($0, base: url) }.first
            ?? url
        var found: [(url: String, isOfComments: Bool)] = []
        for link in page.elements([.link], below: page.root) where found.count < maxFeeds {
            let rel = page.attribute(link, named: "rel")?.lowercased().split(whereSeparator: \.isWhitespace) ?? []
            let type = page.attribute(link, named: "type")?.lowercased().split(separator: ";").first.map(String.init)
            guard rel.contains("alternate"), types.contains(type ?? ""), let href = page.attribute(link, named: "href"),
                let address = EntryDraft.address(href, base: base)
            else { continue }
            let title = page.attribute(link, named: "title") ?? ""
            found.append((address, (address + title).lowercased().contains("comment")))
        }
        return found.filter { !$0.isOfComments }.map(\.url) + found.filter(\.isOfComments).map(\.url)
    }
}
