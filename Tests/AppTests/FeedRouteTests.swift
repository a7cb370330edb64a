import HTTP
import Testing

@testable import App

@Suite("App / routes of feeds and catalogs")
struct FeedRouteTests {
    private func feed(_ path: String) -> FeedRoute? {
        guard case .api(.feed(let route))? = try? Route(Request(method: "GET", path: path)) else { return nil }
        return route
    }

    private func catalog(_ path: String) -> OPDSRoute? {
        guard case .api(.catalog(let route))? = try? Route(Request(method: "GET", path: path)) else { return nil }
        return route
    }

    private static let id = "5b2d0f7e-0000-4000-8000-00000000000a"

    @Test(
        "the path of a feed names its token, its list and its format",
        arguments: [
            ("unread.atom", LinkList.unread, FeedRoute.Format.atom), ("archive.json", .archive, .json),
            ("starred.atom", .starred, .atom), ("search.json", .search, .json),
            ("tag/tea.atom", .tag(.name("tea")), .atom), ("tag/a%2Fb.json", .tag(.name("a/b")), .json),
            ("tag/x.atom.atom", .tag(.name("x.atom")), .atom), ("tag/100%25.atom", .tag(.name("100%")), .atom),
        ])
    func feeds(path: String, list: LinkList, format: FeedRoute.Format) {
        let route = feed("/feed/t/lct_x/" + path)
        #expect(route?.token == "lct_x" && route?.list == list && route?.format == format)
    }

    @Test("a collection is named by its id, in any case")
    func collection() throws {
        let id = try #require(RowID(Self.id))
        #expect(feed("/feed/t/x/collection/\(Self.id.uppercased()).atom")?.list == .collection(id))
        #expect(catalog("/opds/collections/\(Self.id)")?.page == .books(.collection(id)))
    }

    @Test(
        "other paths are no feeds",
        arguments: [
            "/feed", "/feed/", "/feed/unread.atom", "/feed/t/x", "/feed/t/x/", "/feed/t/x/unread", "/feed/t/x/.atom",
            "/feed/t/x/newest.atom", "/feed/t/x/tag.atom", "/feed/t/x/tag/.atom", "/feed/t/x/collection/1.atom",
            "/feed/t/x/unread.atom/", "/feed/t/x/tag/a/b.atom", "/feed/u/x/unread.atom",
        ])
    func noFeeds(path: String) { #expect(feed(path) == nil) }

    @Test(
        "the pages of the catalog are the same with and without a token in the path",
        arguments: [
            ("", OPDSRoute.Page.root), ("/", .root), ("/unread", .books(.unread)), ("/newest", .books(.newest)),
            ("/tags", .tags), ("/collections", .collections), ("/search", .books(.search)),
            ("/opensearch.xml", .searchDescription),
        ])
    func catalogs(path: String, page: OPDSRoute.Page) {
        #expect(catalog("/opds" + path)?.page == page && catalog("/opds" + path)?.token == nil)
        #expect(catalog("/opds/t/lct_x" + path)?.page == page && catalog("/opds/t/lct_x" + path)?.token == "lct_x")
    }

    @Test("books are below a token in the path, and nowhere else below /opds")
    func books() throws {
        let id = try #require(RowID(Self.id))
        #expect(catalog("/opds/t/lct_x/books/\(Self.id).epub")?.page == .book(id, .book))
        #expect(catalog("/opds/t/lct_x/books/\(Self.id).jpg")?.page == .book(id, .cover))
        #expect(catalog("/opds/books")?.page == .madeBooks)
        #expect(catalog("/opds/books/\(Self.id).epub") == nil)
    }

    @Test(
        "other paths are no pages of the catalog",
        arguments: ["/opds/t", "/opds/x", "/opds/tags/", "/opds/tags/x", "/opds/unread/", "/opds/t/x/y", "/opdsx"])
    func noCatalogs(path: String) { #expect(catalog(path) == nil) }
}
