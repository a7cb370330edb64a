import Links

/// The feeds that a web page names in its head.
public enum FeedLinks {
    private static let types: Set<String> = ["application/rss+xml", "application/atom+xml", "application/feed+json"]
    /// Bytes of a page in which its head is expected, and the number of feeds that are told.
    private static let (maxHead, maxFeeds) = (1 << 19, 20)

    /// - Parameter url: of the page.
    /// - Returns: the addresses in their order; feeds of comments come last.
    public static func find(inPage html: String, url: String) -> [String] {
        var events = MarkupEvents(Array(html.utf8.prefix(maxHead)))
        var base = url
        var found: [(url: String, isOfComments: Bool)] = []
        while found.count < maxFeeds, let event = events.next() {
            guard case .start(let name, let attributes) = event else { continue }
            switch name {
            case "script", "style", "noscript", "template": events.skip(to: "</" + name)
            case "base":
                if let href = attributes["href"], let address = EntryDraft.address(href, base: url) { base = address }
            case "link":
                let rel = attributes["rel"]?.lowercased().split(whereSeparator: \.isWhitespace) ?? []
                let type = attributes["type"]?.lowercased().split(separator: ";").first.map(String.init) ?? ""
                guard rel.contains("alternate"), types.contains(type), let href = attributes["href"],
                    let address = EntryDraft.address(href, base: base)
                else { continue }
                let isOfComments = (address + (attributes["title"] ?? "")).lowercased().contains("comment")
                found.append((address, isOfComments))
            default: break
            }
        }
        return found.filter { !$0.isOfComments }.map(\.url) + found.filter(\.isOfComments).map(\.url)
    }
}
