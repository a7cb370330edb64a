import REST
import Testing

@Suite("REST / computed rows")
struct ComputedRowsTests {
    /// The small catalog, in which views show tags of links that are not stored.
    private var computing: Catalog {
        var changed = catalog
        changed.tables["link_tags"]?.views = ["link_tags", "link_tags_by_link_id"]
        return changed
    }

    private func text(_ method: String, _ query: String, body: String = "", of table: String) throws -> String {
        try plan(method, query, body: body, of: .table(table), in: computing).sql().text
    }

    @Test("reads and their counts use the view", arguments: ["GET", "HEAD"])
    func reads(method: String) throws {
        let sql = try plan(
            method, "tag_id=eq.1", headers: ["prefer": "count=exact"], of: .table("link_tags"), in: computing
        ).sql().text
        #expect(sql.contains(#"from "rest"."link_tags" where"#) && !sql.contains(#""public"."link_tags""#))
    }

    @Test("rows that are joined by a column use its own view, if there is one")
    func joined() throws {
        let tags = try text("GET", "select=tags(name)", of: "links")
        #expect(tags.contains(#""public"."tags" as "_r1", "rest"."link_tags_by_link_id" as "_j1""#))
        let embedded = try text("GET", "select=link_tags(*)", of: "links")
        #expect(embedded.contains(#""rest"."link_tags_by_link_id" as "_r1""#))
        let links = try text("GET", "select=links(id)", of: "tags")
        #expect(links.contains(#""public"."links" as "_r1", "rest"."link_tags" as "_j1""#))
    }

    @Test("writes reach the stored rows")
    func writes() throws {
        let row = #"{"link_id":"1","tag_id":"2"}"#
        let requests = [("POST", "", row), ("PATCH", "tag_id=eq.1", row), ("DELETE", "tag_id=eq.1", "")]
        for (method, query, body) in requests {
            #expect(try !text(method, query, body: body, of: "link_tags").contains(#""rest"."link_tags""#))
        }
    }

    @Test("the counter of a read that shows computed rows covers changes without a write")
    func counter() throws {
        let counter = "rest.computed_changes()"
        let shown = [("link_tags", ""), ("links", "select=tags(name)"), ("tags", "select=link_tags(links(id))")]
        for (table, query) in shown { #expect(try text("GET", query, of: table).contains(counter), "\(query)") }
        #expect(try !text("GET", "select=articles(title)", of: "links").contains(counter))
    }
}
