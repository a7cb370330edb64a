import HTTP
import REST
import Testing

@testable import App

@Suite("App / planned requests")
struct PlannedRequestTests {
    private let curious: Headers = [
        "prefer": "return=representation, resolution=merge-duplicates", "accept": "text/csv",
    ]

    @Test(
        "a caller who may only add links is told ids and states, whatever the query asks for",
        arguments: ["", "select=*", "select=title,raw_url", "title=like.a*&order=title&limit=1&on_conflict=raw_url"])
    func adding(query: String) throws {
        let plan = try plan("POST", query, body: #"{"raw_url":"a"}"#, headers: curious)
        let planned = try PlannedRequest(adding: plan)
        #expect(planned.sql.text.contains(#"(select "links"."id", "links"."state" from _written as "links") as _page"#))
        #expect(!planned.sql.text.contains("title"))
        #expect(planned.plan.preferences.resolution == nil)
    }

    @Test("adding links saves through the function that leaves links alone, and repeats it after a concurrent save")
    func addingStatement() throws {
        let planned = try PlannedRequest(adding: try plan("POST", body: #"{"raw_url":"a"}"#, headers: curious))
        #expect(planned.sql.text.contains("rest.save_links("))
        #expect(planned.fallback?.sql == planned.sql)
        #expect(planned.filled(with: "the body").sql.binds.contains("the body"))
        #expect(planned.filled(with: "the body").fallback?.sql.binds.contains("the body") == true)
    }

    @Test("a call that precedes its statement has the text of the body")
    func call() throws {
        let planned = try PlannedRequest(
            try plan("POST", "select=id,notes(link_id)", body: "{}", of: .function("save_page")))
        #expect(planned.filled(with: "the body").call?.binds == ["the body"])
        #expect(try PlannedRequest(try plan("POST", body: "{}", of: .function("save_page"))).call == nil)
    }

    @Test("a function that adds a link tells its id and state, and filters do not test the other columns")
    func addingByFunction() throws {
        let plan = try plan("POST", "select=*&title=like.a*", of: .function("save_page"))
        let text = try PlannedRequest(adding: plan).sql.text
        #expect(text.contains(#"(select "links"."id", "links"."state" from _called as "links") as _page"#))
        #expect(!text.contains("like"))
    }
}
