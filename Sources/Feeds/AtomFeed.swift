/// A feed as Atom 1.0 (RFC 4287).
public struct AtomFeed: Sendable {
    public static let contentType = "application/atom+xml; charset=utf-8"

    private let feed: Feed

    public init(_ feed: Feed) { self.feed = feed }

    public var bytes: [UInt8] {
        // Markup grows when it is escaped.
        let content = feed.entries.reduce(0) { $0 + ($1.content?.utf8.count ?? 0) }
        return XMLWriter.document(
            "feed", ["xmlns": "http://www.w3.org/2005/Atom"],
            capacity: content + content / 4 + feed.entries.count * 1_000
        ) { xml in
            xml.element("id", text: feed.id)
            xml.element("title", text: feed.title)
            xml.element("updated", text: feed.updated)
            // Entries need an author, and not every page names one.
            xml.element("author") { $0.element("name", text: "Lectern") }
            xml.element("generator", text: "Lectern")
            xml.element("link", ["rel": "self", "type": "application/atom+xml", "href": feed.address])
            xml.element("link", ["rel": "alternate", "type": "text/html", "href": feed.homePage])
            for entry in feed.entries {
                xml.element("entry") { Self.write(entry, to: &$0) }
            }
        }
    }

    private static func write(_ entry: FeedEntry, to xml: inout XMLWriter) {
        writeDescription(of: entry, to: &xml)
        if let address = entry.destination {
            xml.element("link", ["rel": "alternate", "type": "text/html", "href": address])
        }
        if let file = entry.enclosure {
            xml.element("link", ["rel": "enclosure", "type": file.type, "href": file.address])
        }
        xml.element("summary", ["xml:lang": entry.language], text: entry.summary)
        // An entry without such a link must have content (RFC 4287, 4.1.2).
        let content = entry.directedContent ?? (entry.destination == nil ? "" : nil)
        xml.element("content", ["type": "html", "xml:lang": entry.language, "xml:base": entry.page], text: content)
    }

    /// The parts that entries of feeds and of catalogs have in common.
    static func writeDescription(of entry: FeedEntry, to xml: inout XMLWriter) {
        xml.element("id", text: entry.urn)
        xml.element("title", ["xml:lang": entry.language], text: entry.title)
        xml.element("published", text: entry.published)
        xml.element("updated", text: entry.updated)
        if let author = entry.author {
            xml.element("author") { $0.element("name", text: author) }
        }
        for tag in entry.tags { xml.element("category", ["term": tag, "label": tag]) }
    }
}
