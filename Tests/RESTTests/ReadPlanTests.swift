import HTTP
import REST
import Testing

@Suite("REST / embedding")
struct ReadingTests {
    /// What stands between the table and the page.
    private func rows(_ query: String, of table: String = "links") throws -> String {
        let text = try plan("GET", query, of: .table(table)).sql().text
        let start = try #require(text.firstRange(of: "auth.uid())) from ("))
        let end = try #require(text.firstRange(of: ") as _page"))
        return String(text[start.upperBound..<end.lowerBound])
    }

    @Test("the row at the other end of a key of ours is an object or null")
    func toOne() throws {
        #expect(
            try rows("select=tag_id,tags(name)", of: "link_tags") == """
                select "link_tags"."tag_id", row_to_json("_e1".*) as "tags" from "public"."link_tags" \
                left join lateral (select "_r1"."name" from "public"."tags" as "_r1" \
                where "link_tags"."tag_id" = "_r1"."id" and "link_tags"."user_id" = "_r1"."user_id") as "_e1" on true
                """)
    }

    @Test("a table whose key is unique there is an object too, as a link has one article")
    func oneToOne() throws { #expect(try rows("select=articles(title)").contains("row_to_json(\"_e1\".*) as \"articles\"")) }

    @Test("rows that point at ours are an array, empty when there are none")
    func toMany() throws {
        let sql = try rows("select=id,link_tags(tag_id)")
        #expect(sql.contains(#"coalesce(json_agg("_x".*), '[]') as "_rows""#))
        #expect(sql.contains(#""_e1"."_rows" as "link_tags""#))
    }

    @Test("what a table of two keys joins is reached through it")
    func manyToMany() throws {
        #expect(
            try rows("select=tags(name)").contains(
                """
                from "public"."tags" as "_r1", "public"."link_tags" as "_j1" where "links"."id" = "_j1"."link_id" \
                and "links"."user_id" = "_j1"."user_id" and "_j1"."tag_id" = "_r1"."id" and "_j1"."user_id" = "_r1"."user_id"
                """))
    }

    @Test("filters, order and limits of a relation stay inside it")
    func inside() throws {
        let sql = try rows("select=id,tags(name)&tags.name=eq.a&tags.order=name.desc&tags.limit=2&tags.offset=1")
        #expect(sql.contains(#"and "_r1"."name" = $1 order by "_r1"."name" desc limit 2 offset $2::int) as "_x""#))
    }

    @Test("!inner leaves out rows without any")
    func inner() throws {
        #expect(try rows("select=id,tags!inner(name)").contains(#" join lateral (select count(*) > 0 as "_any""#))
        #expect(try rows("select=id,tags!inner(name)").hasSuffix(#"as "_e1" on "_e1"."_any""#))
    }

    @Test("a relation can be filtered by whether it has rows", arguments: [
        ("is.null", #"not "_e1"."_any""#), ("not.is.null", #"on "_e1"."_any""#),
    ])
    func existence(value: String, sql: String) throws { #expect(try rows("select=id,tags(name)&tags=\(value)").contains(sql)) }

    @Test("a spread relation's columns stand among ours")
    func spread() throws {
        let sql = try rows("select=id,...articles(heading:title)")
        #expect(sql.hasPrefix(#"select "links"."id", "_e1"."heading" from"#))
    }

    @Test("an alias names the relation in the answer and in filters")
    func alias() throws {
        let sql = try rows("select=labels:tags(name)&labels.name=eq.a")
        #expect(sql.contains(#"as "labels""#) && sql.contains(#""_r1"."name" = $1"#))
    }

    @Test("relations nest, each with filters of its own")
    func nested() throws {
        let sql = try rows("select=id,link_tags(tag_id,tags(name))&link_tags.tags.name=eq.a")
        #expect(sql.contains(#""_r2"."name" = $1"#))
    }

    @Test("rows of a relation can be counted")
    func counted() throws { #expect(try rows("select=id,tags(count)").contains("select count(*) as count from")) }

    @Test("two relationships to one table need a hint")
    func ambiguous() throws {
        let error = #expect(throws: QueryError.self) { try plan("GET", "select=collections(id)", of: .table("collections")) }
        #expect(error?.status == 300 && error?.code == "PGRST201")
    }

    @Test("a relation that is not there, a filter of one not asked for, nesting without end: each has its refusal", arguments: [
        ("select=nope(id)", "PGRST200"), ("select=tags!nope(id)", "PGRST200"), ("tags.name=eq.a", "PGRST108"),
        ("select=tags(name)&articles.title=eq.a", "PGRST108"), ("select=tags(name", "PGRST100"), ("select=...id", "PGRST100"),
        ("select=id,count", "PGRST123"), ("select=id.sum()", "PGRST123"), ("select=tags(nope)", "42703"),
        ("select=" + String(repeating: "link_tags(links(", count: 10) + "id" + String(repeating: "))", count: 10), "PGRST100"),
    ])
    func refused(query: String, code: String) {
        let error = #expect(throws: QueryError.self) { try plan("GET", query).sql() }
        #expect(error?.code == code)
    }

    @Test("a way into JSON is a column, a filter and an order; its keys are binds", arguments: [
        ("select=facts->a->0->>b", #"("articles"."facts"->$1::text->0->>$2::text) as "b""#),
        ("facts->>a=eq.x", #"("articles"."facts"->>$1::text) = $2"#),
        ("order=facts->>a.desc", #"order by ("articles"."facts"->>$1::text) desc"#),
    ])
    func paths(query: String, sql: String) throws { #expect(try rows(query, of: "articles").contains(sql)) }
}

@Suite("REST / functions")
struct CallTests {
    private func sql(_ method: String, _ name: String, _ query: String = "", body: String = "") throws -> String {
        try plan(method, query, body: body, of: .function(name)).sql().text
    }

    @Test("arguments come from the body by name, with the types of the function")
    func body() throws {
        #expect(
            try sql("POST", "save_page", body: #"{"url":"a","tags":["b"]}"#).hasPrefix(
                """
                with _called as (select "links".* from json_to_record($1::json) as _args("tags" text[], "url" text), \
                lateral "public"."save_page"("tags" => "_args"."tags", "url" => "_args"."url") as "links") select
                """))
    }

    @Test("rows that a function answers can be selected, filtered and embedded like those of their table")
    func rows() throws {
        let text = try sql("POST", "save_page", "select=id,tags(name)&title=eq.x", body: #"{"url":"a"}"#)
        #expect(text.contains(#"from _called as "links" left join lateral"#) && text.contains(#""links"."title" = $2"#))
    }

    @Test("a function that only reads takes its arguments from a query as well")
    func query() throws { #expect(try sql("GET", "add", "a=5").contains(#""public"."add"("a" => cast($1 as integer))"#)) }

    @Test("nothing returned is 204, and needs no body")
    func nothing() throws { #expect(!(try plan("POST", of: .function("touch")).returnsRows)) }

    @Test("a function that is not there or not with these arguments is 404, GET on one that writes 405", arguments: [
        ("POST", "nope", "{}", 404), ("POST", "save_page", "{}", 404), ("POST", "save_page", #"{"url":"a","x":1}"#, 404),
        ("GET", "save_page", "", 405), ("POST", "save_page", "[]", 400), ("DELETE", "touch", "", 405),
    ])
    func refused(method: String, name: String, body: String, status: Int) {
        let error = #expect(throws: QueryError.self) { try sql(method, name, body: body) }
        #expect(error?.status == status)
    }
}
