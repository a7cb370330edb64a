import REST
import Testing

@testable import App

@Suite("App / plan cache")
struct PlanCacheTests {
    private let snapshot = CatalogCache.Snapshot(catalog: catalog, generation: 1)

    @Test("requests that differ only in the values of their bodies share a plan")
    func shared() throws {
        var cache = PlanCache()
        let first = try cache.plan(request("POST", body: #"{"title":"a"}"#), .table("links"), snapshot)
        let second = try cache.plan(request("POST", body: #"{"title":"b"}"#), .table("links"), snapshot)
        #expect(cache.count == 1)
        #expect(first.sql.text == second.sql.text)
        #expect(first.sql.binds == [#"{"title":"a"}"#] && second.sql.binds == [#"{"title":"b"}"#])
    }

    @Test("another query, header or key has another plan")
    func separate() throws {
        var cache = PlanCache()
        for query in ["limit=1", "limit=2"] { _ = try cache.plan(request("GET", query), .table("links"), snapshot) }
        _ = try cache.plan(request("GET", "limit=1", headers: ["prefer": "count=exact"]), .table("links"), snapshot)
        #expect(cache.count == 3)
        _ = try cache.plan(request("GET", "limit=1", headers: ["user-agent": "x"]), .table("links"), snapshot)
        #expect(cache.count == 3)
    }

    @Test("a caller who may only add links has another plan for the same request")
    func adding() throws {
        var cache = PlanCache()
        let save = request("POST", "select=*", body: #"{"title":"a"}"#, headers: ["prefer": "return=representation"])
        let told = try [false, true].map {
            try cache.plan(save, .table("links"), snapshot, isAdding: $0).sql.text.contains(#""links"."raw_url""#)
        }
        #expect(told == [true, false] && cache.count == 2)
    }

    @Test("a new catalog empties the cache")
    func generations() throws {
        var cache = PlanCache()
        _ = try cache.plan(request("GET"), .table("links"), snapshot)
        let next = CatalogCache.Snapshot(catalog: Catalog(tables: []), generation: 2)
        #expect(throws: QueryError.unknownTable("links")) { try cache.plan(request("GET"), .table("links"), next) }
        #expect(cache.count == 0)
    }

    @Test("long queries are planned but not stored")
    func long() throws {
        var cache = PlanCache()
        let query = "title=eq." + String(repeating: "x", count: 2_000)
        _ = try cache.plan(request("GET", query), .table("links"), snapshot)
        #expect(cache.count == 0)
    }
}
