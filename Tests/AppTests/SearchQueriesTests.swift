import HTTP
import Postgres
import REST
import Search
import Testing

@testable import App

@Suite("App / search queries")
struct SearchQueriesTests {
    private let setting = Identity.Setting("request.queries", #"{"tea":{"where":{"word":"tea"},"sort":null}}"#)

    private func queries(
        _ method: String, _ query: String = "", body: String = "", of name: String
    ) throws
        -> SearchQueries
    {
        let planned = try PlannedRequest(try plan(method, query, body: body, of: .function(name)))
        return try SearchQueries(body.isEmpty ? planned : planned.filled(with: body))
    }

    @Test("the query of a function is parsed, from the body and from the query string")
    func parsed() throws {
        #expect(try queries("POST", body: #"{"query":"tea"}"#, of: "domains").settings == [setting])
        #expect(try queries("GET", "query=tea", of: "domains").settings == [setting])
    }

    @Test("a number is a query, as PostgreSQL makes a text of it")
    func number() throws {
        let settings = try queries("POST", body: #"{"query":5}"#, of: "domains").settings
        #expect(settings == [.init("request.queries", #"{"5":{"where":{"word":"5"},"sort":null}}"#)])
    }

    @Test("the queries of rows that hold queries are parsed")
    func written() throws {
        let body = #"[{"id":"1","query":"tea"},{"id":"2","query":"tea"},{"id":"3","query":null}]"#
        let planned = try PlannedRequest(try plan("POST", body: body, of: .table("rules")))
        #expect(try SearchQueries(planned.filled(with: body)).settings == [setting])
        let wrong = #"{"query":"is:x"}"#
        let changed = try PlannedRequest(try plan("PATCH", "id=eq.1", body: wrong, of: .table("rules")))
        #expect(throws: SearchQueryError.self) { try SearchQueries(changed.filled(with: wrong)) }
    }

    @Test("a request without a query has no setting", arguments: [#"{}"#, #"{"query":null}"#])
    func without(body: String) throws {
        #expect(try queries("POST", body: body, of: "domains").settings.isEmpty)
        #expect(try SearchQueries(PlannedRequest(try plan("GET", "title=eq.tea"))).settings.isEmpty)
    }

    @Test("a text that is no query is refused with the place")
    func refused() throws {
        let error = #expect(throws: SearchQueryError.self) { try queries("GET", "query=a+is:x", of: "domains") }
        #expect(error?.status == 400)
        #expect(error?.code == "LT400")
        #expect(error?.details == "The error is at character 3 of the query.")
    }
}
