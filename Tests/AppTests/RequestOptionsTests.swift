import HTTP
import Testing

@testable import App

@Suite("App / headers that change a write")
struct RequestOptionsTests {
    private let headers: Headers = ["x-lectern-acted-at": "2026-01-31T12:00:00Z", "x-lectern-intent": "import"]

    @Test("a write passes both headers on as settings")
    func write() throws {
        let options = try RequestOptions(headers, try plan("POST", body: #"{"title":"a"}"#))
        #expect(options.isImport)
        #expect(options.settings.map(\.name) == ["request.acted_at", "request.intent"])
    }

    @Test("a read ignores the time of the action")
    func read() throws { #expect(try RequestOptions(headers, try plan("GET")).action == nil) }
}
