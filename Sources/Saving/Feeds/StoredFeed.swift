import FeedDocuments
import HTTPFetch
import Import
import JSON

/// A feed's document as `private.store_feed` reads it.
struct StoredFeed {
    private let document: FeedDocument
    private let page: FetchedPage

    /// Bytes of the longest content of an entry that is stored.
    private static let maxContent = 5_000_000

    init(_ document: FeedDocument, _ page: FetchedPage) { (self.document, self.page) = (document, page) }

    /// The ids of all entries, as a JSON array.
    var keys: String { String(decoding: ids.bytes, as: UTF8.self) }

    private var ids: JSON { .array(document.entries.map { .string($0.id) }) }

    /// The document as JSON.
    ///
    /// - Parameter places: the entries that are part of it, from 1.
    func text(entries places: [Int]) -> String {
        let members = Self.members([
            ("title", document.title), ("site_url", document.siteURL.flatMap { $0.utf8.count <= 2_048 ? $0 : nil }),
            ("copy_url", page.validators?.url), ("etag", page.validators?.etag),
            ("last_modified", page.validators?.lastModified),
        ])
        let entries = places.map { place in Self.entry(document.entries[place - 1], place: place) }
        return String(
            decoding: JSON.object(members + [.init("keys", ids), .init("entries", .array(entries))]).bytes,
            as: UTF8.self)
    }

    private static func entry(_ entry: FeedDocument.Entry, place: Int) -> JSON {
        var members = members([
            ("url", entry.url), ("title", entry.title), ("author", entry.author), ("description", entry.summary),
            ("categories", entry.categories.isEmpty ? nil : entry.categories.joined(separator: " ")),
            ("enclosure_url", entry.enclosure?.url), ("enclosure_type", entry.enclosure?.type),
        ])
        members.append(.init("place", .number(Double(place))))
        if let published = entry.published { members.append(.init("published", .number(Double(published)))) }
        if let duration = entry.enclosure?.duration {
            members.append(.init("enclosure_duration", .number(Double(duration))))
        }
        if let content = entry.content, content.utf8.count <= maxContent, entry.extent != .teaser {
            members.append(.init("html", .string(page(of: entry, content))))
            members.append(.init("is_whole", .bool(entry.extent == .whole)))
        }
        return .object(members)
    }

    /// The content as a page, which the confined process reads and sanitises as one that a client has sent.
    private static func page(of entry: FeedDocument.Entry, _ content: String) -> String {
        var page = ArticleInPage(content: "<article>\(content)</article>")
        (page.title, page.author, page.lang) = (entry.title, entry.author, entry.language)
        return page.html
    }

    private static func members(_ values: [(String, String?)]) -> [JSON.Member] {
        values.compactMap { name, value in value.map { JSON.Member(name, .string($0)) } }
    }
}
