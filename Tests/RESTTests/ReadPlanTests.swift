import HTTP
import REST
import Testing

@Suite("REST / embedding")
struct ReadPlanTests {
    private static let row = "select row_to_json(_page.*)::text as _row from ("

    /// The inner statement, which reads the rows.
    private func rows(_ query: String, of table: String = "links") throws -> String {
        let text = try plan("GET", query, of: .table(table)).sql().text
        let start = try #require(text.firstRange(of: "auth.uid())) from ("))
        let end = try #require(text.firstRange(of: ") as _page"))
        return String(text[start.upperBound..<end.lowerBound].trimmingPrefix(Self.row))
    }

    @Test("the row that a foreign key references is an object or null")
    func toOne() throws {
        #expect(
            try rows("select=tag_id,tags(name)", of: "link_tags") == """
                select "link_tags"."tag_id", row_to_json("_e1".*) as "tags" from "public"."link_tags" \
                left join lateral (select "_r1"."name" from "public"."tags" as "_r1" \
                where "link_tags"."tag_id" = "_r1"."id" and "link_tags"."user_id" = "_r1"."user_id") as "_e1" on true
                """)
    }

    @Test("a referencing row is an object if its foreign key is unique")
    func oneToOne() throws {
        #expect(try rows("select=articles(title)").contains("row_to_json(\"_e1\".*) as \"articles\""))
    }

    @Test("referencing rows are an array, empty if there are none")
    func toMany() throws {
        let sql = try rows("select=id,link_tags(tag_id)")
        #expect(
            sql.contains(
                """
                select count(*) > 0 as "_any", coalesce(case when \
                rest.total_bytes((pg_column_size("_json") - 2) * 439804672081) >= 0 then json_agg("_json") end, '[]') \
                as "_rows" from (select row_to_json("_x".*) as "_json" from (
                """))
        #expect(sql.contains(#") as "_x" offset 0) as "_y") as "_e1" on true"#))
        #expect(sql.contains(#""_e1"."_rows" as "link_tags""#))
    }

    @Test("the arrays of one row count together")
    func together() throws {
        let sql = try rows("select=id,link_tags(tag_id),tags(name),t:tags(id)")
        #expect(
            sql.contains(
                """
                >= 0 and (coalesce(pg_column_size("_e1"."_rows"), 0) + coalesce(pg_column_size("_e2"."_rows"), 0)) \
                * 439804672081 >= 0 then json_agg
                """))
    }

    @Test("a relation is embedded five times at most, at all depths together; numbers of rows are not counted")
    func repeated() throws {
        func select(_ count: Int, _ relation: String) -> String {
            "select=" + (1...count).map { "a\($0):\(relation)" }.joined(separator: ",")
        }
        _ = try rows(select(5, "tags(name)"))
        _ = try rows(select(20, "tags(count)"))
        let nested = select(3, "link_tags(tags(name),b:tags(name))")
        for query in [select(6, "tags(name)"), nested, select(21, "tags(count)")] {
            let error = #expect(throws: QueryError.self) { try plan("GET", query) }
            #expect(error?.code == "PGRST100")
        }
    }

    @Test("a many-to-many relation is followed through its junction table")
    func manyToMany() throws {
        #expect(
            try rows("select=tags(name)").contains(
                """
                from "public"."tags" as "_r1", "public"."link_tags" as "_j1" where "links"."id" = "_j1"."link_id" \
                and "links"."user_id" = "_j1"."user_id" and "_j1"."tag_id" = "_r1"."id" and "_j1"."user_id" = "_r1"."user_id"
                """))
    }

    @Test("filters, order and limits of a relation apply inside it")
    func inside() throws {
        let sql = try rows("select=id,tags(name)&tags.name=eq.a&tags.order=name.desc&tags.limit=2&tags.offset=1")
        #expect(sql.contains(#"and "_r1"."name" = $1 order by "_r1"."name" desc limit 2 offset $2::int) as "_x""#))
    }

    @Test("!inner excludes rows without related rows")
    func inner() throws {
        #expect(try rows("select=id,tags!inner(name)").contains(#" join lateral (select count(*) > 0 as "_any""#))
        #expect(try rows("select=id,tags!inner(name)").hasSuffix(#"as "_e1" on "_e1"."_any""#))
    }

    @Test(
        "rows can be filtered by the existence of related rows",
        arguments: [
            ("is.null", #"not "_e1"."_any""#), ("not.is.null", #"on "_e1"."_any""#),
        ])
    func existence(value: String, sql: String) throws {
        #expect(try rows("select=id,tags(name)&tags=\(value)").contains(sql))
    }

    @Test("and, or and not can test whether there are related rows, by name or alias")
    func existenceInTrees() throws {
        let sql = try rows("select=id,tags(name),a:articles(title)&or=(tags.not.is.null,a.is.null,title.eq.x)")
        #expect(
            sql.hasSuffix(
                #"where (not (not "_e1"."_any") or ("_e2" is not distinct from null) or "links"."title" = $1)"#))
        let negated = try rows("select=id,tags(name)&not.and=(tags.is.not_null)")
        #expect(negated.hasSuffix(#"not ((not (not "_e1"."_any")))"#))
        let counted = try plan(
            "GET", "select=id,tags(name)&or=(tags.not.is.null,title.eq.x)", headers: ["prefer": "count=exact"])
        #expect(try counted.sql().text.contains(#"as "_e1" on true where (not (not "_e1"."_any") or "#))
    }

    @Test("rows can be ordered by a column of a to-one relation, which may be left out of the response")
    func related() throws {
        let ordered = try rows("select=id,a:articles(title)&order=a(title).desc.nullslast,id")
        #expect(
            ordered == """
                select "links"."id", case when not ("_e1" is not distinct from null) then (select row_to_json("_x".*) \
                from (select "_e1"."title") as "_x") end as "a" from "public"."links" left join lateral (select \
                "_r1"."title", "_r1"."title" as "_key0" from "public"."articles" as "_r1" where "links"."id" = \
                "_r1"."link_id" and "links"."user_id" = "_r1"."user_id") as "_e1" on true order by "_e1"."_key0" desc \
                nulls last, "links"."id"
                """)
        #expect(try rows("select=id,articles()&order=articles(facts->a)").hasSuffix(#"order by "_e1"."_key0""#))
        let spread = try rows("select=id,...articles(_key0:title)&order=articles(title)")
        #expect(spread.hasSuffix(#"order by "_e1"."__key0""#))
        #expect(
            try rows("select=tag_id,links(id,articles(title))&links.order=articles(title)", of: "link_tags")
                .contains(#"order by "_e2"."_key0") as "_e1""#))
    }

    @Test("an order by a relation of many rows is refused with PostgREST's code and text")
    func relatedToMany() {
        let error = #expect(throws: QueryError.relatedOrder(table: "links", relation: "tags")) {
            try plan("GET", "select=t:tags(name)&order=t(name)")
        }
        #expect(error?.code == "PGRST118" && error?.status == 400)
        #expect(error?.details == "'links' and 'tags' do not form a many-to-one or one-to-one relationship")
    }

    @Test("an insert that returns keys alone ignores the order by a relation")
    func relatedKeys() throws {
        let insert = try plan(
            "POST", "select=id,articles(title)&order=articles(title)", body: #"{"title":"a"}"#,
            headers: ["prefer": "return=headers-only"])
        #expect(!(try insert.sql().text.contains("order by")))
    }

    @Test("the columns of a spread relation are added to the row")
    func spread() throws {
        let sql = try rows("select=id,...articles(heading:title)")
        #expect(sql.hasPrefix(#"select "links"."id", "_e1"."heading" from"#))
    }

    @Test("an alias names the relation in the response and in filters")
    func alias() throws {
        let sql = try rows("select=labels:tags(name)&labels.name=eq.a")
        #expect(sql.contains(#"as "labels""#) && sql.contains(#""_r1"."name" = $1"#))
    }

    @Test("nested relations have their own filters")
    func nested() throws {
        let sql = try rows("select=id,link_tags(tag_id,tags(name))&link_tags.tags.name=eq.a")
        #expect(sql.contains(#""_r2"."name" = $1"#))
    }

    @Test("the rows of a relation can be counted")
    func counted() throws { #expect(try rows("select=id,tags(count)").contains(#"select count(*) as "count" from"#)) }

    @Test("two relationships to one table require a hint")
    func ambiguous() throws {
        let error = #expect(throws: QueryError.self) {
            try plan("GET", "select=links(id)", of: .table("merges"), in: mergesCatalog)
        }
        #expect(error?.status == 300 && error?.code == "PGRST201")
    }

    @Test(
        "invalid selections are refused, each with its code",
        arguments: [
            ("select=nope(id)", "PGRST200"), ("select=tags!nope(id)", "PGRST200"), ("tags.name=eq.a", "PGRST108"),
            ("select=tags(name)&articles.title=eq.a", "PGRST108"), ("order=articles(title)", "PGRST108"),
            ("select=articles(count)&order=articles(title)", "PGRST123"),
            ("select=articles(title)&order=articles(nope)", "42703"),
            ("select=tags(name)&or=(tags.eq.a)", "42703"), ("or=(tags.is.null)", "42703"),
            ("select=tags(name", "PGRST100"),
            ("select=...id", "PGRST100"),
            ("select=id,count", "PGRST123"), ("select=id.sum()", "PGRST123"), ("select=tags(nope)", "42703"),
            ("select=id,n:count()", "PGRST123"), ("select=count()", "PGRST123"), ("select=id::int.sum()", "PGRST123"),
            ("select=id::nope", "42704"), ("select=id::", "PGRST100"), ("select=id::a-b", "PGRST100"),
            (
                "select=" + String(repeating: "link_tags(links(", count: 10) + "id"
                    + String(repeating: "))", count: 10), "PGRST100"
            ),
        ])
    func refused(query: String, code: String) {
        let error = #expect(throws: QueryError.self) { try plan("GET", query).sql() }
        #expect(error?.code == code)
    }

    @Test(
        "JSON paths work in select, filters and order, with their keys as binds",
        arguments: [
            ("select=facts->a->0->>b", #"("articles"."facts"->$1::text->0->>$2::text) as "b""#),
            ("facts->>a=eq.x", #"("articles"."facts"->>$1::text) = $2"#),
            ("order=facts->>a.desc", #"order by ("articles"."facts"->>$1::text) desc"#),
        ])
    func paths(query: String, sql: String) throws { #expect(try rows(query, of: "articles").contains(sql)) }
}
