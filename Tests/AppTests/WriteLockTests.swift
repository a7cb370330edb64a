import HTTP
import REST
import Testing

@testable import App

@Suite("App / write locks")
struct WriteLockTests {
    private func lock(
        _ method: String, _ query: String = "", body: String = "{}", headers: Headers = [:],
        of resource: Resource = .table("links")
    ) throws -> WriteLock {
        let plan = try plan(method, query, body: body, headers: headers, of: resource)
        return WriteLock(plan, try RequestOptions(headers, plan))
    }

    @Test(
        "a write of one row runs beside others",
        arguments: [
            ("POST", "", #"{"raw_url":"a"}"#), ("POST", "", #"[{"raw_url":"a"}]"#),
            ("PATCH", "id=eq.x", #"{"title":"a"}"#), ("PUT", "id=eq.x", #"{"id":"x"}"#),
        ])
    func shared(method: String, query: String, body: String) throws {
        #expect(try lock(method, query, body: body) == .shared)
    }

    @Test(
        "a write that may reach several rows has the caller's rows for itself",
        arguments: [
            ("POST", "", #"[{"raw_url":"a"},{"raw_url":"b"}]"#), ("PATCH", "id=in.(x,y)", #"{"title":"a"}"#),
            ("PATCH", "title=eq.x", #"{"title":"a"}"#), ("PATCH", "id=eq.x", #"{"id":"y"}"#), ("DELETE", "id=eq.x", ""),
        ])
    func exclusive(method: String, query: String, body: String) throws {
        #expect(try lock(method, query, body: body) == .exclusive)
    }

    @Test("a function that writes, and a late change, which may restore a link, have them too")
    func others() throws {
        #expect(try lock("POST", of: .function("save_page")) == .exclusive)
        let late: Headers = ["x-lectern-acted-at": "2026-01-31T12:00:00.000Z"]
        #expect(try lock("PATCH", "id=eq.x", body: #"{"title":"a"}"#, headers: late) == .exclusive)
    }
}
