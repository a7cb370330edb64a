import HTTP
import REST
import Testing

@testable import App

@Suite("App / time of a client's action")
struct ActionTimeTests {
    private static let time = "2026-01-31T12:00:00.000Z"
    private let headers: Headers = ["x-lectern-acted-at": time]

    @Test("a request without the header has no action")
    func absent() throws { #expect(try ActionTime([:]) == nil) }

    @Test("the times become settings for the triggers")
    func settings() throws {
        var headers = headers
        headers.add("x-lectern-sent-at", "2026-01-31T12:30:00Z")
        let action = try #require(try ActionTime(headers))
        #expect(action.settings.map(\.name) == ["request.acted_at", "request.sent_at"])
        #expect(action.settings.map(\.value) == [Self.time, "2026-01-31T12:30:00Z"])
        #expect(try ActionTime(self.headers)?.settings.count == 1)
    }

    @Test("words and long texts are refused", arguments: ["now", "infinity", "", String(repeating: "2", count: 41)])
    func malformed(time: String) {
        #expect(throws: QueryError.self) { try ActionTime(["x-lectern-acted-at": time]) }
        #expect(throws: QueryError.self) {
            try ActionTime(["x-lectern-acted-at": Self.time, "x-lectern-sent-at": time])
        }
    }

    @Test(
        "an update and a deletion of one link have a preparation",
        arguments: [
            ("PATCH", "select rest.restore_if_newer($1::uuid)"), ("DELETE", "select rest.confirm_deletion($1::uuid)"),
        ])
    func preparation(method: String, sql: String) throws {
        let action = try #require(try ActionTime(headers))
        let prepared = action.preparation(for: try plan(method, "id=eq.x", body: #"{"title":"a"}"#))
        #expect(prepared?.text == sql)
        #expect(prepared?.binds == ["x"])
    }

    @Test("other writes have none")
    func noPreparation() throws {
        let action = try #require(try ActionTime(headers))
        #expect(action.preparation(for: try plan("POST", body: #"{"title":"a"}"#)) == nil)
        #expect(action.preparation(for: try plan("DELETE", "title=eq.a")) == nil)
        #expect(action.preparation(for: try plan("DELETE", "id=eq.x", of: .table("tags"))) == nil)
    }
}
