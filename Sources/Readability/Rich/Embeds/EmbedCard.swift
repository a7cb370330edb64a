import HTML
import Links

/// A link that replaces an embedded player, post or frame. Readers see that something was embedded, and no third party
/// learns what they read.
struct EmbedCard {
    let page: String
    private let title: String
    private let thumbnail: String?

    /// Words in classes, ids and paths of frames that are not part of an article.
    private static let foreignWords: Set<String> = [
        "ad", "ads", "adframe", "advert", "advertisement", "advertising", "adslot", "banner", "doubleclick",
        "googlesyndication", "sponsor", "sponsored", "consent", "cookie", "cookies", "cmp", "gdpr", "recaptcha",
        "captcha", "tracking", "tracker", "pixel", "beacon", "analytics", "gtm", "googletagmanager", "newsletter",
        "subscribe", "signup", "login", "signin", "comments", "disqus", "outbrain", "taboola", "like", "likebox",
        "share", "follow", "widgets", "paywall", "checkout", "donate",
    ]
    /// Words in classes and URLs of frames that show content.
    private static let contentWords: Set<String> = [
        "embed", "embedded", "video", "videos", "player", "audio", "podcast", "episode", "map", "maps", "chart",
        "charts", "graphic", "graph", "interactive", "slides", "presentation", "viewer", "playlist", "track", "album",
        "media", "iframe", "storymap", "vis", "visualisation", "visualization", "timeline", "gallery",
    ]
    private static let addressNames = [
        "src", "data-src", "data-lazy-src", "data-url", "data-original", "data-embed-src", "data-litespeed-src",
        "data-cmp-src",
    ]
    private static let posterNames = ["poster", "data-poster", "data-thumbnail", "data-thumb", "data-thumbnail-src"]
    /// In pixels a side. Smaller frames are invisible.
    private static let minSize = 40
    private static let maxTitleLength = 200

    /// Creates a card for an element; nil if the element shows nothing that belongs to the article.
    init?(_ node: NodeID, in document: Document, base: WebAddress?) {
        guard document.isProbablyVisible(node), let address = Self.address(of: node, in: document, base: base) else {
            return nil
        }
        let isFrame = document.tag(node) != .video && document.tag(node) != .audio
        if isFrame {
            let width = PictureFilter.size(.width, "width", of: node, in: document) ?? .max
            let height = PictureFilter.size(.height, "height", of: node, in: document) ?? .max
            guard width > Self.minSize, height > Self.minSize else { return nil }
        }
        let target = EmbedAddress(address)
        if isFrame, !target.isKnown || ClassWords(of: node, in: document).hasWord(of: Self.foreignWords) {
            guard Self.showsContent(node, address, in: document) else { return nil }
        }
        page = isFrame ? target.page : address.text
        let written = Self.posterNames.lazy.compactMap { document.attribute(node, named: $0).nonEmpty }.first
        let poster = written.flatMap { WebAddress($0, relativeTo: base) }.flatMap { $0.isHTTP ? $0.text : nil }
        thumbnail = poster ?? (isFrame ? target.thumbnail : nil)
        title = Self.title(of: node, in: document) ?? Self.displayText(page)
    }

    /// Creates a card for a script that writes an embed of a known provider; nil for any other script.
    init?(script address: WebAddress) {
        guard let page = EmbedProvider.resolve(address)?.page else { return nil }
        self.page = page
        title = Self.displayText(page)
        thumbnail = nil
    }

    private static func address(of node: NodeID, in document: Document, base: WebAddress?) -> WebAddress? {
        var written = addressNames.compactMap { document.attribute(node, named: $0).nonEmpty }
        if let data = document.attribute(node, named: "data").nonEmpty { written.append(data) }
        for inner in document.elements([.source, .param, .embed], below: node).prefix(20) {
            let isSource =
                document.tag(inner) != .param
                || ["movie", "src"].contains((document.attribute(inner, .name) ?? "").lowercased())
            if isSource, let address = document.attribute(inner, .src) ?? document.attribute(inner, .value) {
                written.append(address)
            }
        }
        return written.lazy.filter { $0.utf8.count <= 8_192 }.compactMap { WebAddress($0, relativeTo: base) }.first {
            $0.isHTTP
        }
    }

    /// Whether a frame of an unknown site looks like a part of the article.
    private static func showsContent(_ node: NodeID, _ address: WebAddress, in document: Document) -> Bool {
        var words = ClassWords(of: node, in: document)
        words.add((address.hostName ?? "") + address.pathText)
        guard !words.hasWord(of: foreignWords) else { return false }
        return document.has(node, AttributeName.title) || document.attribute(node, named: "allowfullscreen") != nil
            || words.hasWord(of: contentWords)
    }

    private static func title(of node: NodeID, in document: Document) -> String? {
        for name in ["title", "aria-label", "data-title"] {
            if let title = OneLine.of(document.attribute(node, named: name), limit: maxTitleLength) { return title }
        }
        return nil
    }

    /// A URL in the form people read: the host and path, without `www.`.
    private static func displayText(_ page: String) -> String {
        var text = page[...]
        if let address = WebAddress(page), let host = address.hostName {
            text = (host + (address.pathText == "/" ? "" : address.pathText))[...]
        }
        if text.hasPrefix("www.") { text = text.dropFirst(4) }
        return String(text.prefix(maxTitleLength))
    }

    /// Creates the card as a figure without a parent.
    func make(in document: inout Document) -> NodeID {
        let figure = document.makeElement(.figure)
        if let thumbnail {
            let image = document.makeElement(.img)
            document.set(image, .src, to: thumbnail)
            document.set(image, .alt, to: "")
            document.append(link(around: image, in: &document), to: figure)
        }
        let caption = document.makeElement(.figcaption)
        document.append(link(around: document.makeText("▶ " + title), in: &document), to: caption)
        document.append(caption, to: figure)
        return figure
    }

    private func link(around node: NodeID, in document: inout Document) -> NodeID {
        let link = document.makeElement(.a)
        document.set(link, .href, to: page)
        document.append(node, to: link)
        return link
    }
}
