import Postgres
import REST
import Testing

@testable import App

@Suite("App / links known by another name")
struct KnownLinkFallbackTests {
    private func refused(_ sqlState: String, detail: String? = nil, constraint: String? = nil) -> PostgresError {
        .refused(.init(sqlState: sqlState, message: "", detail: detail, constraint: constraint))
    }

    @Test("a save falls back to the function that merges saves, when the page is already saved")
    func save() throws {
        let fallback = try #require(try KnownLinkFallback(try plan("POST", body: #"{"raw_url":"a"}"#)))
        #expect(fallback.sql.text.contains("rest.save_links("))
        #expect(fallback.filled(with: "the body").sql.binds.contains("the body"))
        for constraint in ["links_user_id_dedupe_key", "links_pkey"] {
            #expect(fallback.isNeeded(after: refused("23505", constraint: constraint)))
        }
        #expect(!fallback.isNeeded(after: refused("23505", constraint: "tags_pkey")))
        #expect(!fallback.isNeeded(after: refused("23503", constraint: "links_pkey")))
        #expect(!fallback.isNeeded(after: PostgresError.unavailable(reason: "")))
    }

    @Test("a function that writes is called again")
    func function() throws {
        let plan = try plan("POST", of: .function("save_page"))
        let fallback = try #require(try KnownLinkFallback(plan))
        #expect(fallback.sql == (try plan.sql()))
    }

    @Test(
        "a link is found by a former id in every request, by another spelling of its URL only in writes",
        arguments: [
            ("GET", "id=eq.X", ["x", "id"]), ("PATCH", "id=eq.X", ["x", "id"]),
            ("DELETE", "raw_url=eq.U", ["U", "spelling"]),
        ])
    func aliases(method: String, query: String, binds: [String]) throws {
        let fallback = try #require(try KnownLinkFallback(try plan(method, query, body: #"{"title":"a"}"#)))
        #expect(fallback.sql.text.contains(#""links"."id" = any(array(select link_id from public.link_aliases"#))
        for bind in binds { #expect(fallback.sql.binds.contains(bind)) }
        #expect(fallback.isNeeded(after: refused("LR116", detail: "0")))
        #expect(!fallback.isNeeded(after: refused("LR116", detail: "2")))
    }

    @Test(
        "requests that name no link have no fallback",
        arguments: [
            ("GET", "raw_url=eq.U"), ("GET", "id=gt.x"), ("GET", ""), ("PATCH", "title=eq.a"), ("PUT", "id=eq.x"),
        ])
    func none(method: String, query: String) throws {
        #expect(try KnownLinkFallback(try plan(method, query, body: #"{"id":"x"}"#)) == nil)
    }

    @Test("other tables and functions that only read have no fallback")
    func otherResources() throws {
        #expect(try KnownLinkFallback(try plan("POST", body: #"{"id":"x"}"#, of: .table("tags"))) == nil)
        #expect(try KnownLinkFallback(try plan("GET", of: .function("count_links"))) == nil)
    }

    @Test("a concurrent save is retried four times")
    func retries() throws {
        let fallback = try #require(try KnownLinkFallback(try plan("POST", body: #"{"raw_url":"a"}"#)))
        let conflict = refused("23505", constraint: "links_user_id_dedupe_key")
        var attempts = 0
        #expect(throws: conflict) {
            try fallback.rows { () throws(PostgresError) in
                attempts += 1
                throw conflict
            }
        }
        #expect(attempts == 5)
    }
}
