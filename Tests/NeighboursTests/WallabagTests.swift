import HTTP
import JSON
import Postgres
import Testing

@testable import Neighbours

@Suite("Neighbours / wallabag")
struct WallabagTests {
    private struct Problem: APIError {
        var status: Int
        var code: String { "X" }
        var message: String { String(repeating: "é", count: 3_000) }
    }

    @Test("an error has wallabag's shape, one about tokens that of OAuth, and both are short")
    func errors() {
        let error = NeighbourFamily.wallabag.response(to: Problem(status: 404))
        #expect(error.status == 404 && error.body.count < 2_100)
        #expect(JSON(parsing: error.body)?["error"]?["code"] == .number(404))
        let refusal = NeighbourFamily.wallabag.response(to: Problem(status: 401), isCredentials: true)
        #expect(JSON(parsing: refusal.body)?["error"] == .string("invalid_grant"))
        #expect(JSON(parsing: refusal.body)?["error_description"] != nil)
    }

    @Test("linkding's errors are listed below the parameter, or are a detail")
    func linkdingErrors() {
        func body(_ error: some APIError) -> JSON? {
            JSON(parsing: NeighbourFamily.linkding.response(to: error).body)
        }
        #expect(body(NeighbourError.missing("url"))?["url"]?.array?.count == 1)
        #expect(body(NeighbourError.badParameter("q", "short"))?["q"]?.array?.count == 1)
        #expect(body(Problem(status: 401))?["detail"]?.string?.count == 1_000)
    }

    @Test("an address is named by its SHA-1")
    func hashes() {
        #expect(WallabagEntry.hash("abc") == "a9993e364706816aba3e25717850c26c9cd0d89d")
    }

    @Test("the size of a page is clamped, and zero stands for the usual one")
    func pages() throws {
        func page(_ query: String, hasContent: Bool = true) throws -> Wallabag.Page {
            try Wallabag.Page(try Parameters(query: query), hasContent: hasContent)
        }
        #expect(try page("").size == 30 && page("perPage=0").size == 30 && page("perPage=-5").size == 30)
        #expect(try page("perPage=99999999999999999999").size == 100)
        #expect(try page("perPage=99999999999999999999", hasContent: false).size == 1_000)
        let page = try page("page=3&perPage=10")
        #expect(page.offset == 20 && page.count(total: 0) == 1 && page.count(total: 21) == 3)
    }

    @Test("the parameters of a list become conditions with binds")
    func filters() throws {
        let filter = try WallabagFilter(try Parameters(query: "archive=1&starred=0&tags=a'b&since=5&sort=archived"))
        #expect(filter.condition.binds == ["a'b", "5", "5"])
        #expect(filter.condition.text.hasPrefix(" where l.list = 'archive' and not (l.is_starred) and exists"))
        #expect(filter.order.text == "l.archived_at desc nulls last, l.id desc")
        #expect(filter.query.map(\.0) == ["archive", "starred", "sort", "order", "detail", "tags", "since"])
        #expect(try WallabagFilter(try Parameters(query: "")).condition.isEmpty)
    }

    @Test(
        "only a single range with places of both ends leads to a passage",
        arguments: [
            (#"[{"start":"","startOffset":4,"end":"/","endOffset":"7"}]"#, true),
            (#"[{"start":"","startOffset":4,"end":"/","endOffset":7},{}]"#, false),
            (#"[{"start":"","startOffset":-1,"end":"","endOffset":1e300}]"#, false),
            (#"[{"start":"","startOffset":"x","end":""}]"#, false), ("[]", false), (#"["x"]"#, false),
        ])
    func ranges(text: String, hasEnds: Bool) throws {
        let ranges = try #require(JSON(parsing: text.utf8)?.array)
        let ends = WallabagAnnotation.ends(ranges)
        #expect((ends != nil) == hasEnds)
        if let ends { #expect((ends.start.offset, ends.end.offset) == (4, 7)) }
    }
}
