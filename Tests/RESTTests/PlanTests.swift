import HTTP
import REST
import Testing

@Suite("REST / plans")
struct PlanTests {
    @Test("a list request becomes one statement that an index can serve")
    func list() throws {
        let sql = try plan("GET", "select=*&order=updated_at.desc.nullslast,id.desc&limit=15&title=eq.x").sql()
        #expect(
            sql.text == """
                select '[' || coalesce(case when rest.total_bytes((octet_length(_row) + 1) * 439804672081) >= 0 \
                then string_agg(_row, ',') end, '') || ']', count(*), null::bigint, null::bigint, \
                (select coalesce(sum(n), 0) from rest.changes where user_id = (select auth.uid())) \
                from (select row_to_json(_page.*)::text as _row from (select "links".* \
                from "public"."links" where "links"."title" = $1 order by "links"."updated_at" desc, "links"."id" desc \
                limit 15) as _page offset 0) as _rows
                """)
        #expect(sql.binds == ["x"])
    }

    @Test("the count covers all rows that match the filters")
    func count() throws {
        let sql = try plan("GET", "title=eq.x&limit=1", headers: ["prefer": "count=exact"]).sql()
        #expect(sql.text.contains(#"(select count(*) from "public"."links" where "links"."title" = $1)"#))
    }

    @Test(
        "columns can be selected, renamed and cast",
        arguments: [
            ("id,title", #"select "links"."id", "links"."title" from"#),
            ("t:title", #"select "links"."title" as "t" from"#),
            ("id::text", #"select cast("links"."id" as "pg_catalog"."text") as "id" from"#),
            ("n : id::text , *", #"select cast("links"."id" as "pg_catalog"."text") as "n", "links".* from"#),
            (#""title""#, #"select "links"."title" from"#), ("count", #"select count(*) as "count" from"#),
            ("n:count()", #"select count(*) as "n" from"#), ("n:count", #"select count(*) as "n" from"#),
            ("n:count()::text", #"select cast(count(*) as "pg_catalog"."text") as "n" from"#),
            ("id::TEXT", #"cast("links"."id" as "pg_catalog"."text")"#),
            ("id::double precision", #"cast("links"."id" as "pg_catalog"."float8")"#),
        ])
    func selections(select: String, sql: String) throws {
        let encoded = select.replacing(" ", with: "%20").replacing("\"", with: "%22")
        #expect(try plan("GET", "select=\(encoded)").sql().text.contains(sql))
    }

    @Test("an insert writes the columns of the body and by default returns none")
    func insert() throws {
        let sql = try plan("POST", body: #"{"title":"a","raw_url":"b"}"#).sql()
        #expect(
            sql.text == """
                with _written as (insert into "public"."links" ("raw_url", "title") select "_body"."raw_url", \
                "_body"."title" from json_populate_record(null::"public"."links", $1::json) as _body returning "links".*, \
                (true) as _inserted) select null::text, count(*), count(*), null::bigint, \
                nullif(current_setting('rest.superseded', true), '') from (select 1 from _written as "links") as _page
                """)
        #expect(sql.filled(with: "the body").binds == ["the body"])
    }

    @Test("a write can be limited to telling some columns, without filters, embedded relations and conflict targets")
    func telling() throws {
        let query = "select=title,link_tags!inner(*)&link_tags.tag_id=eq.x&order=title&on_conflict=user_id,raw_url"
        let write = try plan(
            "POST", query, body: #"{"title":"a"}"#,
            headers: ["prefer": "return=representation, resolution=merge-duplicates"])
        let text = try write.telling(only: ["id"]).sql().text
        #expect(text.contains(#"from (select "links"."id" from _written as "links") as _page"#))
        #expect(!text.contains("on conflict") && !text.contains("link_tags") && !text.contains("order by"))
        #expect(text.contains(#"insert into "public"."links" ("title")"#))
    }

    @Test("the target of an upsert is on_conflict, else the primary key")
    func upsert() throws {
        let merge: Headers = ["prefer": "return=minimal, resolution=merge-duplicates"]
        let byKey = try plan("POST", body: #"{"title":"a"}"#, headers: merge).sql().text
        #expect(byKey.contains(#"on conflict ("id") do update set "title" = "excluded"."title""#))
        let named = try plan("POST", "on_conflict=user_id,%22raw_url%22", body: #"[{"title":"a"}]"#, headers: merge)
            .sql().text
        #expect(named.contains(#"on conflict ("user_id", "raw_url") do update"#))
        let ignore = try plan(
            "POST", "on_conflict=user_id,raw_url", body: #"[{"title":"a"}]"#,
            headers: ["prefer": "resolution=ignore-duplicates"]
        ).sql().text
        #expect(ignore.contains("do nothing"))
        #expect(throws: QueryError.noUniqueKey) {
            try plan("POST", "on_conflict=title", body: #"[{"title":"a"}]"#, headers: merge)
        }
    }

    @Test(
        "the keys of a body must exist and, without columns=, match",
        arguments: [
            (#"[{"title":"a"},{"raw_url":"b"}]"#, "PGRST102"), (#"{"nope":1}"#, "PGRST204"), ("", "PGRST102"),
            ("5", "PGRST102"), ("[1]", "PGRST102"), (#"{"a":"#, "PGRST102"), ("[[]]", "PGRST102"), ("null", "PGRST102"),
        ])
    func bodies(body: String, code: String) {
        let error = #expect(throws: QueryError.self) { try plan("POST", body: body) }
        #expect(error?.code == code)
    }

    @Test("columns= selects the columns to write")
    func columns() throws {
        let sql = try plan("POST", "columns=title", body: #"[{"title":"a","x":1},{"raw_url":"b"}]"#).sql().text
        #expect(sql.contains(#"("title") select "_body"."title" from json_populate_recordset"#))
    }

    @Test("columns= names at least one column", arguments: ["columns=", "columns=%20", "columns=title,"])
    func blankColumns(query: String) {
        let error = #expect(throws: QueryError.self) { try plan("POST", query, body: #"{"title":"a"}"#) }
        #expect(error?.code == "PGRST100")
    }

    @Test("a read says where it can be repeated, without the key and never at length")
    func contentLocation() throws {
        let query = "title=eq.b&select=id&apikey=x&title=neq.a"
        #expect(try plan("GET", query).contentLocation == "/links?select=id&title=eq.b&title=neq.a")
        #expect(try plan("HEAD", "title=eq.a%20,+%2B").contentLocation == "/links?title=eq.a%20%2C%20%2B")
        #expect(try plan("GET").contentLocation == "/links")
        #expect(try plan("GET", "title=eq." + String(repeating: "x", count: 2_000)).contentLocation == nil)
        #expect(try plan("POST", body: #"{"title":"a"}"#).contentLocation == nil)
        #expect(try plan("GET", "a=5", of: .function("add")).contentLocation == nil)
    }

    @Test("missing=default uses the defaults of missing columns")
    func missing() throws {
        let sql = try plan(
            "POST", "columns=id,name", body: #"[{"name":"a"}]"#, headers: ["prefer": "missing=default"],
            of: .table("tags")
        ).sql()
        #expect(
            sql.text.contains(
                """
                from jsonb_array_elements($1::jsonb) as _given(object), jsonb_populate_record(null::"public"."tags", \
                case when _given.object ? $2::text then '{}' else jsonb_build_object($3::text, gen_random_uuid()) end || \
                _given.object) as _body
                """))
        #expect(sql.filled(with: "the body").binds == ["the body", "id", "id"])
    }

    @Test("PUT writes only the row that its filters name")
    func put() throws {
        let sql = try plan("PUT", "id=eq.x", body: #"{"id":"x","title":"a"}"#).sql().text
        #expect(sql.contains(#"as _body where "_body"."id" = $2 on conflict ("id") do update set"#))
    }

    @Test(
        "PUT requires the whole primary key by eq, no range and one object",
        arguments: [
            ("", "{}", "PGRST105"), ("title=eq.a", "{}", "PGRST105"), ("id=gt.x", "{}", "PGRST105"),
            ("id=eq.x&title=eq.a", "{}", "PGRST105"), ("id=eq.x&limit=1", "{}", "PGRST114"),
            ("id=eq.x", "[]", "PGRST102"),
        ])
    func badPuts(query: String, body: String, code: String) {
        let error = #expect(throws: QueryError.self) { try plan("PUT", query, body: body) }
        #expect(error?.code == code)
    }

    @Test("a deeply nested body is refused")
    func deepBody() {
        let deep = #"{"title":"# + String(repeating: "[", count: 100_000)
        #expect(throws: QueryError.self) { try plan("POST", body: deep) }
    }

    @Test("an update or delete without a filter is refused", arguments: ["PATCH", "DELETE"])
    func unfiltered(method: String) {
        #expect(throws: QueryError.unfilteredWrite) { try plan(method, body: #"{"title":"a"}"#) }
    }

    @Test("the statement itself checks that one row is written")
    func singularWrite() throws {
        let sql = try plan(
            "PATCH", "title=eq.a", body: #"{"title":"b"}"#,
            headers: ["accept": "application/vnd.pgrst.object+json", "prefer": "return=representation"]
        ).sql().text
        #expect(sql.contains("rest.one_row(count(*))"))
    }

    @Test("only schema public is accepted, with every method", arguments: ["GET", "POST", "PATCH", "DELETE"])
    func profiles(method: String) throws {
        _ = try plan(method, "id=eq.1", body: "{}", headers: ["accept-profile": "public", "content-profile": "public"])
        #expect(throws: QueryError.unknownSchema("auth")) {
            try plan(method, "id=eq.1", body: "{}", headers: ["accept-profile": "auth"])
        }
    }

    @Test(
        "an update or delete refuses a test whether an embedded relation has rows",
        arguments: ["tags=is.null", "tags=not.is.null", "or=(tags.is.null)"])
    func existenceInWrites(filter: String) {
        for method in ["PATCH", "DELETE"] {
            #expect(throws: QueryError.unknownColumn(table: "links", column: "tags")) {
                try plan(method, "id=eq.1&select=id,tags(name)&\(filter)", body: #"{"title":"a"}"#).sql()
            }
        }
    }

    @Test(
        "limit and Range are intersected",
        arguments: [
            ("limit=5", "0-9", RowRange(offset: 0, limit: 5)), ("limit=20", "5-9", RowRange(offset: 5, limit: 5)),
            ("offset=3", "0-9", RowRange(offset: 3, limit: 7)), ("", "10-", RowRange(offset: 10)),
            ("limit=0", nil, RowRange(limit: 0)), ("offset=-4", nil, RowRange()),
            ("limit=2&offset=-4", nil, RowRange(limit: 2)),
            ("", "nonsense", RowRange()),
        ])
    func ranges(query: String, range: String?, expected: RowRange) throws {
        var headers: Headers = [:]
        if let range { headers.add("range", range) }
        #expect(try plan("GET", query, headers: headers).reading.range == expected)
    }

    @Test(
        "an impossible range is 416",
        arguments: [("limit=-1", nil), ("", "5-2")] as [(String, String?)])
    func badRanges(query: String, range: String?) {
        var headers: Headers = [:]
        if let range { headers.add("range", range) }
        let error = #expect(throws: QueryError.self) { try plan("GET", query, headers: headers) }
        #expect(error?.status == 416)
    }

    @Test("unsupported media types are refused", arguments: ["text/html", "application/xml"])
    func accept(type: String) {
        #expect(throws: QueryError.notAcceptable(type)) { try plan("GET", headers: ["accept": type]) }
    }

    @Test("apikey in the query is not a filter")
    func apikey() throws { #expect(try plan("GET", "apikey=x").reading.filters.isEmpty) }
}
