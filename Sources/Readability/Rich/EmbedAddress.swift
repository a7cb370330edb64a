import HTML
import Links

/// Where the page is that an embedded frame was taken from.
struct EmbedAddress {
    let page: String
    let thumbnail: String?
    /// The frame is of a provider we know, or of a shape that only frames of content have.
    let isKnown: Bool

    init(_ address: WebAddress) {
        for provider in EmbedProvider.all {
            guard let (page, thumbnail) = provider.resolve(address) else { continue }
            self.init(page: page, thumbnail: thumbnail, isKnown: true)
            return
        }
        if let page = Self.named(in: address) ?? Self.shorter(address) {
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

    /// A frame that is told which page to show (`?href=…`).
    private static func named(in address: WebAddress) -> String? {
        for name in ["href", "url"] {
            guard let value = query(address, name), let page = WebAddress(PercentEncoding.decoded(value)), page.isHTTP,
                // An address for programs shows nothing.
                !(page.hostName ?? "").hasPrefix("api.")
            else { continue }
            return page.text
        }
        return nil
    }

    /// PeerTube's `/videos/embed/…`; `/embed` behind the address of a post.
    private static func shorter(_ address: WebAddress) -> String? {
        var path = address.pathText.split(separator: "/")
        if path.count >= 3, path[path.count - 3] == "videos", path[path.count - 2] == "embed" {
            path[path.count - 2] = "watch"
        } else if let end = path.lastIndex(of: "embed"), end >= 1, end >= path.count - 2, path[end...].dropFirst().allSatisfy({ $0 == "captioned" }) {
            path.removeSubrange(end...)
        } else {
            return nil
        }
        return WebAddress("/" + path.joined(separator: "/"), relativeTo: address)?.text
    }

    /// A value of the query, as it is encoded.
    static func query(_ address: WebAddress, _ name: String) -> String? {
        guard let query = address.queryText, query.utf8.count <= 8_192 else { return nil }
        for pair in query.split(separator: "&") where pair.hasPrefix(name + "=") { return String(pair.dropFirst(name.count + 1)) }
        return nil
    }
}
