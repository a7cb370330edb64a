import HTTP
import REST
import Testing

@Suite("REST / functions")
struct FunctionCallTests {
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

    @Test("the rows of a function can be selected, filtered and embedded like those of a table")
    func rows() throws {
        let text = try sql("POST", "save_page", "select=id,tags(name)&title=eq.x", body: #"{"url":"a"}"#)
        #expect(text.contains(#"from _called as "links" left join lateral"#) && text.contains(#""links"."title" = $1"#))
    }

    @Test("a function that writes is called before the statement that embeds what belongs to its rows, and only then")
    func precedingCall() throws {
        func plan(_ query: String) throws -> Plan {
            try RESTTests.plan("POST", query, body: #"{"url":"a"}"#, of: .function("save_page"))
        }
        let embedding = try plan("select=id,tags(name)")
        #expect(
            embedding.precedingCall?.text == """
                select set_config('rest.called', coalesce(array_agg("links".*)::text, '{}'), true) is null from \
                json_to_record($1::json) as _args("url" text), lateral "public"."save_page"("url" => "_args"."url") \
                as "links"
                """)
        let text = try embedding.sql().text
        #expect(
            text.hasPrefix(
                """
                with _called as (select "links".* from unnest(current_setting('rest.called')::"public"."links"[]) \
                as "links") select
                """))
        #expect(!text.contains("save_page"))
        #expect(try plan("select=id").precedingCall == nil)
        #expect(try RESTTests.plan("GET", "a=5", of: .function("add")).precedingCall == nil)
    }

    @Test("a function that only reads also accepts arguments in the query")
    func query() throws {
        #expect(try sql("GET", "add", "a=5").contains(#""public"."add"("a" => cast($1 as integer))"#))
    }

    @Test("the columns of returns table (…) can be selected, filtered, ordered and counted")
    func record() throws {
        let text = try sql("GET", "words", "select=words&words=gt.5&order=words.desc&limit=3&of_list=read&list=neq.x")
        #expect(text.contains(#"from "public"."words"("of_list" => cast($1 as text)) as "words""#))
        #expect(
            text.contains(
                """
                (select "words"."words" from _called as "words" where "words"."words" > $2 and "words"."list" <> $3 \
                order by "words"."words" desc limit 3) as _page
                """))
        #expect(throws: QueryError.unknownColumn(table: "words", column: "id")) { try sql("GET", "words", "id=eq.1") }
        #expect(throws: QueryError.unknownRelation(table: "words", relation: "tags")) {
            try sql("GET", "words", "select=tags(name)")
        }
    }

    @Test("the value of a function can be cast and has no other column", arguments: ["count", "sum:add", "n:count()"])
    func value(selection: String) throws {
        #expect(try sql("GET", "add", "a=5&select=add::text").contains(#"cast("add"."add" as "pg_catalog"."text")"#))
        let name = String(selection.prefix { $0 != ":" })
        #expect(throws: QueryError.unknownColumn(table: "add", column: name)) {
            try sql("GET", "add", "a=5&select=\(selection)")
        }
    }

    @Test("a function without a result needs no body and returns no rows")
    func nothing() throws { #expect(!(try plan("POST", of: .function("touch")).returnsRows)) }

    @Test(
        "an unknown function or argument is 404, GET on a function that writes is 405",
        arguments: [
            ("POST", "nope", "{}", 404), ("POST", "save_page", "{}", 404),
            ("POST", "save_page", #"{"url":"a","x":1}"#, 404),
            ("GET", "save_page", "", 405), ("POST", "save_page", "[]", 400), ("DELETE", "touch", "", 405),
        ])
    func refused(method: String, name: String, body: String, status: Int) {
        let error = #expect(throws: QueryError.self) { try sql(method, name, body: body) }
        #expect(error?.status == status)
    }
}
