import HTML
import Links

/// The page from which an embedded frame was taken.
struct EmbedAddress {
    let page: String
    let thumbnail: String?
    /// Whether the frame belongs to a known provider, or its URL has a form that only content frames use.
    let isKnown: Bool

    init(_ address: WebAddress) {
        if let (page, thumbnail) = EmbedProvider.resolve(address) {
            self.init(page: page, thumbnail: thumbnail, isKnown: true)
        } else if let page = Self.pageInQuery(in: address) ?? Self.pageInPath(address) {
            self.init(page: page, thumbnail: nil, isKnown: true)
        } else {
            self.init(page: address.text, thumbnail: nil, isKnown: false)
        }
    }

    private init(page: String, thumbnail: String?, isKnown: Bool) {
        self.page = page
        self.thumbnail = thumbnail
        self.isKnown = isKnown
    }

    /// Returns the page that the frame's URL names in its query (`?href=…`).
    private static func pageInQuery(in address: WebAddress) -> String? {
        for name in ["href", "url"] {
            guard let value = query(address, name), let page = WebAddress(PercentEncoding.decoded(value)), page.isHTTP,
                // An API URL is not a page.
                !(page.hostName ?? "").hasPrefix("api.")
            else { continue }
            return page.text
        }
        return nil
    }

    /// Derives the page from PeerTube's `/videos/embed/…`, or from a post's URL with `/embed` at its end.
    private static func pageInPath(_ address: WebAddress) -> String? {
        var path = address.pathText.split(separator: "/")
        if path.count >= 3, path[path.count - 3] == "videos", path[path.count - 2] == "embed" {
            path[path.count - 2] = "watch"
        } else if let end = path.lastIndex(of: "embed"), end >= 1, end >= path.count - 2,
            path[end...].dropFirst().allSatisfy({ $0 == "captioned" })
        {
            path.removeSubrange(end...)
        } else {
            return nil
        }
        return WebAddress("/" + path.joined(separator: "/"), relativeTo: address)?.text
    }

    /// Returns a value of the query, still percent-encoded.
    static func query(_ address: WebAddress, _ name: String) -> String? {
        guard let query = address.queryText, query.utf8.count <= 8_192 else { return nil }
        for pair in query.split(separator: "&") where pair.hasPrefix(name + "=") {
            return String(pair.dropFirst(name.count + 1))
        }
        return nil
    }
}
