import Feeds
import Postgres

/// A page of the catalog that lists the caller's books of several articles, newest first.
struct MadeBooksPage {
    /// Which page, from 1.
    private let number: Int

    private static let size = 50
    /// The most books that a user can have, divided by the size of a page, and one more for those that come and go.
    private static let maximum = 3

    /// - Parameter text: the parameter `page`.
    /// - Throws: `LibraryError.badPage`.
    init(_ text: String?) throws(LibraryError) {
        let text = text ?? "1"
        guard text.utf8.count == 1, let number = Int(text), (1...Self.maximum).contains(number) else {
            throw .badPage(text, maximum: Self.maximum)
        }
        self.number = number
    }

    /// One row more than the page has, to know whether another follows.
    var statement: SQL {
        """
        select id, title, links, rest.feed_time(created_at), rest.feed_time(made_at) from public.books
        where user_id = auth.uid() and state = 'ready'
        order by created_at desc, id desc
        limit \(Self.size + 1)::integer offset \((number - 1) * Self.size)::integer
        """
    }

    /// - Parameters:
    ///   - rows: the result of the statement.
    ///   - user: the user's id.
    func catalog(_ rows: Rows?, user: String, _ addresses: OPDSAddresses) -> OPDSCatalog {
        let this = addresses.root + "/books"
        let count = rows?.count ?? 0
        let next = count > Self.size ? this + "?page=\(number + 1)" : nil
        let books = (0..<min(count, Self.size)).compactMap { row in rows.map { Self.publication($0, row, addresses) } }
        return OPDSCatalog(
            id: "urn:lectern:\(user):catalog:books", title: "Books",
            addresses: addresses.of(
                number == 1 ? this : this + "?page=\(number)", up: addresses.root, next: next),
            content: .publications(books))
    }

    private static func publication(_ rows: Rows, _ row: Int, _ addresses: OPDSAddresses) -> Publication {
        let id = rows.text(row, 0) ?? ""
        var entry = FeedEntry(
            id: id, page: nil, title: rows.text(row, 1) ?? "", published: rows.text(row, 3) ?? "",
            updated: rows.text(row, 4) ?? "")
        let count = rows.int(row, 2) ?? 0
        entry.summary = count == 1 ? "1 article" : "\(count) articles"
        return Publication(
            entry, book: addresses.book(id), cover: addresses.cover(id), publisher: nil, issued: nil)
    }
}
