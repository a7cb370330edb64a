import REST
import Testing

@Suite("REST / filters")
struct FilterParserTests {
    private func condition(_ query: String) throws -> (sql: String, binds: [String?]) {
        let sql = try plan("GET", query).sql()
        let text = sql.text
        let start = try #require(text.firstRange(of: #""public"."links" where "#))
        let end = text.firstRange(of: ") as _page")?.lowerBound ?? text.endIndex
        return (String(text[start.upperBound..<end]), sql.binds)
    }

    @Test(
        "each operator has its SQL, and its value is a bind",
        arguments: [
            ("title=eq.a", #""links"."title" = $1"#, "a"), ("title=neq.a", #""links"."title" <> $1"#, "a"),
            ("updated_at=gt.2024", #""links"."updated_at" > $1"#, "2024"),
            ("updated_at=gte.2024", #""links"."updated_at" >= $1"#, "2024"),
            ("updated_at=lt.2024", #""links"."updated_at" < $1"#, "2024"),
            ("updated_at=lte.2024", #""links"."updated_at" <= $1"#, "2024"),
            ("title=like.*a*", #""links"."title" like $1"#, "%a%"),
            ("title=ilike.a*", #""links"."title" ilike $1"#, "a%"),
            ("title=match.^a", #""links"."title" ~ $1"#, "^a"), ("title=imatch.^a", #""links"."title" ~* $1"#, "^a"),
            ("title=isdistinct.a", #""links"."title" is distinct from $1"#, "a"),
            ("title=not.eq.a", #"not ("links"."title" = $1)"#, "a"),
            ("title=like(any).{a*,b}", #""links"."title" like any($1)"#, #"{"a%","b"}"#),
            ("title=in.(a,b)", #""links"."title" = any($1)"#, #"{"a","b"}"#),
            (#"title=in.("a,b","c\"d")"#, #""links"."title" = any($1)"#, #"{"a,b","c\"d"}"#),
            ("title=in.()", #""links"."title" = any($1)"#, "{}"),
            ("title=fts.cat", #"to_tsvector("links"."title") @@ to_tsquery($1)"#, "cat"),
            // In a plain filter everything after the operator is the value.
            ("title=eq.a,(b).%22c", #""links"."title" = $1"#, #"a,(b)."c"#),
            ("title=eq.", #""links"."title" = $1"#, ""),
            ("title=eq.a+b%2Bc", #""links"."title" = $1"#, "a b+c"),
        ])
    func operators(query: String, sql: String, bind: String) throws {
        let found = try condition(query)
        #expect(found.sql == sql)
        #expect(found.binds == [bind])
    }

    @Test(
        "is accepts its words in any case",
        arguments: [
            ("null", "is null"), ("NULL", "is null"), ("not_null", "is not null"), ("true", "is true"),
            ("false", "is false"),
            ("unknown", "is unknown"),
        ])
    func states(word: String, sql: String) throws {
        #expect(try condition("title=is.\(word)").sql == #""links"."title" \#(sql)"#)
    }

    @Test("trees of and, or and not keep their structure")
    func trees() throws {
        let found = try condition("or=(title.eq.a,and(is_starred.is.true,title.not.like.*b),not.or(id.eq.1,id.eq.2))")
        #expect(
            found.sql
                == #"("links"."title" = $1 or ("links"."is_starred" is true and not ("links"."title" like $2)) or not (("links"."id" = $3 or "links"."id" = $4)))"#
        )
        #expect(found.binds == ["a", "%b", "1", "2"])
    }

    @Test("several filters and trees are joined by and", arguments: ["title=eq.a&title=eq.b&or=(id.eq.1,id.eq.2)"])
    func anded(query: String) throws {
        #expect(
            try condition(query).sql
                == #""links"."title" = $1 and "links"."title" = $2 and ("links"."id" = $3 or "links"."id" = $4)"#)
    }

    @Test(
        "a keyset cursor, raw or percent-encoded, becomes a comparison of rows",
        arguments: [
            "or=(updated_at.lt.2024-01-01T00:00:00.000001%2B00:00,and(updated_at.eq.2024-01-01T00:00:00.000001%2B00:00,id.lt.x))",
            "or=%28updated_at.lt.2024-01-01T00%3A00%3A00.000001%2B00%3A00%2C%20and%28updated_at.eq.2024-01-01T00%3A00%3A00.000001%2B00%3A00%2Cid.lt.x%29%29",
        ])
    func cursor(query: String) throws {
        let found = try condition(query)
        #expect(found.sql == #"("links"."updated_at", "links"."id") < ($1, $2)"#)
        #expect(found.binds == ["2024-01-01T00:00:00.000001+00:00", "x"])
    }

    @Test(
        "trees that are not a keyset cursor stay trees",
        arguments: [
            // Another value, another direction, another column, an operator that does not fit, a third term.
            "or=(updated_at.lt.2024,and(updated_at.eq.2025,id.lt.x))",
            "or=(updated_at.lt.2024,and(updated_at.eq.2024,id.gt.x))",
            "or=(updated_at.lt.2024,and(id.eq.2024,id.lt.x))",
            "or=(updated_at.lte.2024,and(updated_at.eq.2024,id.lt.x))",
            "or=(updated_at.lt.2024,and(updated_at.eq.2024,id.lt.x),id.eq.y)",
        ])
    func noCursor(query: String) throws { #expect(try condition(query).sql.contains(" or ")) }

    @Test("a quoted value in a tree may contain delimiters")
    func quotedInTree() throws {
        #expect(try condition(#"or=(title.eq."a,b)c",title.in.("x,y",z))"#).binds == ["a,b)c", #"{"x,y","z"}"#])
    }

    @Test("a combining mark after a delimiter belongs to the value")
    func combining() throws { #expect(try condition("title=ilike.*%CC%81a*").binds == ["%\u{301}a%"]) }

    @Test(
        "malformed filters are refused with PGRST100",
        arguments: [
            "title=a", "title=", "title=eq", "title=foo.a", "title=in.a", "title=in.(a", "title=in.(a)b",
            "title=is.maybe",
            "or=", "or=()", "or=(title)", "or=(title.eq.a", "or=(title.eq.a)x", "or=title.eq.a", "title=eq(any).a",
            "title=eq(any).{a}b",
            "title=neq(any).{a}", "title=in(any).(a)", "or=(title.eq.\"a)", "title=eq.%ZZ", "title=eq.%FF",
            "title=eq.a%00",
        ])
    func malformed(query: String) {
        let error = #expect(throws: QueryError.self) { try plan("GET", query).sql() }
        #expect(error?.code == "PGRST100" && error?.status == 400)
    }

    @Test(
        "nesting, terms and parameters are limited",
        arguments: [
            "or=" + String(repeating: "(and", count: 60) + "(id.eq.1)" + String(repeating: ")", count: 60),
            "or=(" + String(repeating: "id.eq.1,", count: 1_001) + "id.eq.1)",
            Array(repeating: "id=eq.1", count: 201).joined(separator: "&"),
        ])
    func bounded(query: String) { #expect(throws: QueryError.self) { try plan("GET", query).sql() } }

    @Test("an unknown column gives the error of PostgreSQL")
    func unknownColumn() {
        #expect(throws: QueryError.unknownColumn(table: "links", column: "nope")) { try plan("GET", "nope=eq.1").sql() }
    }

    @Test("a filter on a relation that is not embedded is refused")
    func notEmbedded() {
        #expect(throws: QueryError.filterOnMissingRelation("tags")) { try plan("GET", "tags.name=eq.a") }
    }
}
