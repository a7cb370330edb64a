import HTML

/// Replaces other sites' players, frames and scripts with cards, and keeps the text of embedded posts.
enum Embeds {
    /// The number of cards for one page. A page with more is no article, and each card is about ten nodes.
    private static let maxCards = 300
    /// The number of levels to search for elements that contain nothing but the embed.
    private static let maxLevels = 8

    static func replace(
        _ elements: RichElements, in document: inout Document, base: WebAddress?, placeholders: inout Placeholders
    ) {
        for quote in elements.quotes { keepPost(quote, in: &document) }
        var count = 0
        var pages: Set<String> = []
        for node in elements.embeds {
            if count < maxCards, let card = EmbedCard(node, in: document, base: base), pages.insert(card.page).inserted
            {
                count += 1
                place(card, for: node, in: &document, &placeholders)
            } else {
                document.detach(node)
            }
        }
        for script in elements.scripts where count < maxCards {
            guard let source = document.attribute(script, .src), source.hasSuffix(".js"),
                let address = WebAddress(source, relativeTo: base),
                let card = EmbedCard(script: address), pages.insert(card.page).inserted
            else { continue }
            count += 1
            place(card, for: script, in: &document, &placeholders)
        }
    }

    // MARK: Posts

    /// Class names that embedded posts have before their script has run.
    private static let postNames: Set<String> = [
        "twitter-tweet", "twitter-video", "instagram-media", "tiktok-embed", "bluesky-embed", "mastodon-embed",
        "reddit-embed-bq", "reddit-card", "text-post-media", "imgur-embed-pub", "flourish-embed", "telegram-post",
    ]
    /// Attributes that hold the post's URL.
    private static let postAddresses = [
        "cite", "data-instgrm-permalink", "data-text-post-permalink", "data-url", "data-embed-url",
    ]

    /// Keeps the text of a post as a quotation with a link to the post. Its class is removed because it would lower the
    /// quotation's score.
    private static func keepPost(_ quote: NodeID, in document: inout Document) {
        guard document.has(quote, .class), ClassWords(of: quote, in: document).hasName(of: postNames) else { return }
        let address = postAddresses.compactMap { document.attribute(quote, named: $0).nonEmpty }.first
        document.remove(quote, .class)
        guard let address, !document.contains([.a], below: quote), WebAddress(address)?.isHTTP == true else { return }
        let paragraph = document.makeElement(.p)
        let link = document.makeElement(.a)
        document.set(link, .href, to: address)
        document.append(document.makeText(address), to: link)
        document.append(link, to: paragraph)
        document.append(paragraph, to: quote)
    }

    // MARK: Places

    /// Elements that are not removed with an embed, even if they contain nothing else.
    private static let containers: TagSet = [
        .body, .article, .main, .section, .td, .th, .li, .figure, .blockquote, .dd,
    ]

    private static func place(
        _ card: EmbedCard, for node: NodeID, in document: inout Document, _ placeholders: inout Placeholders
    ) {
        var top = node
        for _ in 0..<maxLevels {
            guard let parent = document.parent(top), document.isElement(parent),
                !containers.contains(document.tag(parent)),
                containsOnly(top, parent, in: document)
            else { break }
            top = parent
        }
        let placeholder = placeholders.figure(for: card.make(in: &document), in: &document)
        if let paragraph = document.ancestors(top, limit: maxLevels).first(where: { document.tag($0) == .p }) {
            // A paragraph cannot contain a figure.
            document.insert(placeholder, after: paragraph)
            document.detach(top)
        } else {
            document.replace(top, with: placeholder)
        }
    }

    private static func containsOnly(_ node: NodeID, _ box: NodeID, in document: Document) -> Bool {
        document.onlyChildElement(box) == node
            && document.allChildren(box) { !document.isText($0) || document.isBlank($0) }
    }
}

extension Document {
    /// Inserts a node after a sibling.
    mutating func insert(_ node: NodeID, after sibling: NodeID) {
        if let next = nextSibling(sibling) {
            insert(node, before: next)
        } else if let parent = parent(sibling) {
            append(node, to: parent)
        }
    }
}
