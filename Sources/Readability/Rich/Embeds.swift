import HTML

/// Replaces other sites' players, frames and scripts with cards, and keeps the text of embedded posts.
enum Embeds {
    /// The number of cards for one page. A page with more is no article, and each card is about ten nodes.
    private static let most = 300
    /// The number of levels to search for elements that contain nothing but the embed.
    private static let mostBoxes = 8

    static func replace(_ survey: RichElements, in document: inout Document, base: WebAddress?, standIns: inout Placeholders) {
        for quote in survey.quotes { keepPost(quote, in: &document) }
        var count = 0
        var pages: Set<String> = []
        for node in survey.embeds {
            if count < most, let card = EmbedCard(node, in: document, base: base), pages.insert(card.page).inserted {
                count += 1
                place(card, for: node, in: &document, &standIns)
            } else {
                document.detach(node)
            }
        }
        for script in survey.scripts where count < most {
            guard let source = document.attribute(script, .src), source.hasSuffix(".js"), let address = WebAddress(source, relativeTo: base),
                let card = EmbedCard(script: address), pages.insert(card.page).inserted
            else { continue }
            count += 1
            place(card, for: script, in: &document, &standIns)
        }
    }

    // MARK: Posts

    /// Class names that embedded posts have before their script has run.
    private static let postNames: Set<String> = [
        "twitter-tweet", "twitter-video", "instagram-media", "tiktok-embed", "bluesky-embed", "mastodon-embed", "reddit-embed-bq", "reddit-card",
        "text-post-media", "imgur-embed-pub", "flourish-embed", "telegram-post",
    ]
    /// Attributes that hold the post's URL.
    private static let postAddresses = ["cite", "data-instgrm-permalink", "data-text-post-permalink", "data-url", "data-embed-url"]

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
    private static let homes: TagSet = [.body, .article, .main, .section, .td, .th, .li, .figure, .blockquote, .dd]

    private static func place(_ card: EmbedCard, for node: NodeID, in document: inout Document, _ standIns: inout Placeholders) {
        var top = node
        for _ in 0..<mostBoxes {
            guard let parent = document.parent(top), document.isElement(parent), !homes.contains(document.tag(parent)),
                holdsNothing(parent, but: top, in: document)
            else { break }
            top = parent
        }
        let standIn = standIns.figure(for: card.make(in: &document), in: &document)
        if let paragraph = document.ancestors(top, limit: mostBoxes).first(where: { document.tag($0) == .p }) {
            // A paragraph cannot contain a figure.
            document.insert(standIn, after: paragraph)
            document.detach(top)
        } else {
            document.replace(top, with: standIn)
        }
    }

    private static func holdsNothing(_ box: NodeID, but node: NodeID, in document: Document) -> Bool {
        document.onlyChildElement(box) == node && document.allChildren(box) { !document.isText($0) || document.isBlank($0) }
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
