import Links

/// Reads RSS 0.9x, 1.0 and 2.0 and Atom 0.3 and 1.0, with the usual extensions.
struct XMLFeedReader {
    private var events: MarkupEvents
    private let url: String
    private let now: Int
    /// The names of the open elements, what relative addresses in them refer to, and their language where it is stated.
    private var open: [(name: String, base: String, language: String?)] = []
    /// Open elements beyond ``maxDepth``.
    private var deeper = 0
    private var prefixes = XMLNames()
    private var isFeed = false
    /// Whether the element with the title and the entries has begun.
    private var hasBegun = false
    private var feed = FeedDocument()
    private var draft: EntryDraft?
    private var element: TextElement?
    private var siteURLs: [String] = []
    /// The language of the whole feed.
    private var language: String?

    private static let maxDepth = 100
    private static let roots: Set<String> = ["rss", "rdf:rdf", "atom:feed"]
    private static let bodies: Set<String> = ["channel", "atom:feed"]
    private static let entries: Set<String> = ["item", "atom:entry"]

    /// An element whose content is read.
    private struct TextElement {
        var name: String
        var attributes: [String: String]
        /// The number of open elements around it.
        var depth: Int
        /// Where its content begins.
        var start: Int
        var text = ""
        var hasMarkup = false
    }

    init(_ bytes: [UInt8], url: String, now: Int) {
        (events, self.url, self.now) = (MarkupEvents(bytes), url, now)
    }

    /// Whether the first element of the document is that of a feed.
    consuming func beginsFeed() -> Bool {
        while let event = events.next() {
            guard case .start(let name, let attributes) = event else { continue }
            return Self.roots.contains(prefixes.name(name, attributes))
        }
        return false
    }

    /// - Returns: nil where the document is not a feed, or has no entry and is not whole.
    consuming func read() -> FeedDocument? {
        while feed.entries.count < FeedDocument.maxEntries, let event = events.next() {
            switch event {
            case .text(let text): element?.text += text
            case .start(let name, let attributes):
                let known = prefixes.name(name, attributes)
                guard isFeed || Self.roots.contains(known) else { return nil }
                isFeed = true
                if Self.bodies.contains(known) { hasBegun = true }
                begin(known, attributes)
            case .end(let name): end(prefixes.name(name))
            case .comment: break
            }
        }
        guard isFeed else { return nil }
        finishEntry()
        if feed.entries.isEmpty, !hasBegun || !open.isEmpty { return nil }
        if let language = language.flatMap({ FeedText.line($0, limit: EntryDraft.maxLanguage) }) {
            for place in feed.entries.indices where feed.entries[place].language == nil {
                feed.entries[place].language = language
            }
        }
        feed.siteURL = siteURLs.lazy.compactMap { EntryDraft.address($0, base: url) }.first
        return feed
    }

    // MARK: - Elements

    private mutating func begin(_ name: String, _ attributes: [String: String]) {
        guard open.count < Self.maxDepth else {
            deeper += 1
            element?.hasMarkup = true
            return
        }
        let around = open.last?.base ?? url
        let base = attributes["xml:base"].flatMap { EntryDraft.address($0, base: around) } ?? around
        let parent = open.last?.name
        let language = attributes["xml:lang"] ?? open.last?.language
        open.append((name, base, language))
        guard element == nil else {
            element?.hasMarkup = true
            return
        }
        if Self.entries.contains(name) {
            finishEntry()
            draft = EntryDraft()
            draft?.base = base
            draft?.language = language
            draft?.id = attributes["rdf:about"]
        }
        addLink(name, attributes, parent)
        if isRead(name, parent) {
            element = TextElement(
                name: name, attributes: attributes, depth: open.count - 1, start: events.position)
        }
    }

    private mutating func end(_ name: String) {
        if deeper > 0 {
            deeper -= 1
            return
        }
        guard let place = open.lastIndex(where: { $0.name == name }) else { return }
        if let read = element, place <= read.depth {
            element = nil
            finish(read)
        }
        let isEntryEnded = open[place...].contains { Self.entries.contains($0.name) }
        open.removeSubrange(place...)
        if isEntryEnded { finishEntry() }
    }

    private mutating func finishEntry() {
        if let entry = draft?.entry(now: now) { feed.entries.append(entry) }
        draft = nil
    }

    /// Whether the content of an element is needed. Entries have elements with entries of other feeds in them.
    private func isRead(_ name: String, _ parent: String?) -> Bool {
        guard let parent else { return false }
        if name == "atom:name" {
            return parent == "atom:author" && open.dropLast(2).last.map { Self.entries.contains($0.name) } == true
        }
        guard draft != nil else {
            return ["channel", "atom:feed"].contains(parent) && Self.feedTexts.contains(name)
        }
        return Self.entries.contains(parent) && Self.texts.contains(name)
    }

    private static let feedTexts: Set<String> = ["title", "link", "atom:title", "language", "dc:language"]

    private static let texts: Set<String> = [
        "title", "link", "description", "guid", "pubdate", "author", "category", "dc:title", "dc:creator", "dc:date",
        "dc:subject", "dc:language", "content:encoded", "itunes:duration", "feedburner:origlink", "atom:title",
        "atom:id", "atom:summary", "atom:content", "atom:published", "atom:updated", "atom:issued", "atom:modified",
    ]

    /// Adds the values of attributes.
    private mutating func addLink(_ name: String, _ attributes: [String: String], _ parent: String?) {
        guard let parent, Self.entries.contains(parent) || ["channel", "atom:feed", "media:group"].contains(parent)
        else {
            return
        }
        let type = attributes["type"]
        switch name {
        case "atom:link":
            guard let href = attributes["href"] else { return }
            let address = EntryDraft.address(href, base: open.last?.base ?? url) ?? href
            switch (attributes["rel"]?.lowercased() ?? "alternate", draft != nil) {
            case ("alternate", true):
                // A page before other representations.
                let isPage = type == nil || type?.lowercased().contains("html") == true
                draft?.add(address, to: \.urls, isBest: isPage)
            case ("alternate", false): siteURLs.append(address)
            case ("enclosure", true): addEnclosure(address, type)
            default: break
            }
        case "enclosure": addEnclosure(attributes["url"], type)
        case "media:content":
            addEnclosure(attributes["url"], type)
            if draft?.enclosure?.url == attributes["url"] {
                draft?.enclosure?.duration = attributes["duration"].flatMap(EntryDraft.duration)
            }
        case "atom:category":
            if let term = attributes["label"] ?? attributes["term"] { draft?.add(term, to: \.categories) }
        default: break
        }
    }

    private mutating func addEnclosure(_ address: String?, _ type: String?) {
        guard draft != nil, draft?.enclosure == nil, let address, let type, FeedDocument.isMedium(type) else { return }
        draft?.enclosure = FeedDocument.Enclosure(url: address, type: type)
    }

    /// Takes the content of an element that has ended.
    private mutating func finish(_ read: TextElement) {
        let written =
            read.hasMarkup ? String(decoding: events.bytes[read.start..<events.start], as: UTF8.self) : read.text
        guard var entry = draft else {
            switch read.name {
            case "link": siteURLs.append(written)
            case "language", "dc:language": language = language ?? written
            default: feed.title = feed.title ?? FeedText.of(html: written, limit: 1_000)
            }
            return
        }
        let isHTML = read.hasMarkup || ["html", "xhtml", "text/html"].contains(read.attributes["type"]?.lowercased())
        defer { draft = entry }
        switch read.name {
        // RSS does not say whether a title is text or HTML; most feeds have HTML.
        case "title", "dc:title": entry.title = entry.title ?? FeedText.of(html: written, limit: 1_000)
        case "atom:title": entry.title = isHTML ? FeedText.of(html: written, limit: 1_000) : written
        case "link": entry.add(written, to: \.urls)
        case "feedburner:origlink": entry.add(written, to: \.urls, isBest: true)
        case "guid":
            entry.id = written
            if read.attributes["ispermalink"]?.lowercased() != "false", written.contains("://") {
                entry.add(written, to: \.urls)
            }
        case "atom:id": entry.id = written
        case "author", "dc:creator", "atom:name":
            entry.author = entry.author ?? FeedText.of(html: written, limit: 500)
        case "pubdate", "dc:date", "atom:published", "atom:issued":
            entry.add(written, to: \.dates, isBest: true)
        case "atom:updated", "atom:modified": entry.add(written, to: \.dates)
        case "category", "dc:subject": entry.add(written, to: \.categories)
        case "dc:language": entry.language = written
        case "description": entry.summary = entry.summary ?? written
        case "content:encoded":
            entry.content = written
            entry.language = read.attributes["xml:lang"] ?? entry.language
        case "atom:summary": entry.summary = isHTML ? written : FeedText.html(written)
        case "atom:content":
            guard read.attributes["src"] == nil else { return }
            entry.content = isHTML ? written : FeedText.html(written)
            entry.language = read.attributes["xml:lang"] ?? entry.language
        case "itunes:duration": entry.duration = EntryDraft.duration(written)
        default: break
        }
    }
}
