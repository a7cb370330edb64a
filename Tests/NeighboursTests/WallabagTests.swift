import HTTP
import JSON
import Neighbours
import Testing

@Suite("Neighbours / wallabag")
struct WallabagTests {
    @Test("the version is a JSON string, without a charset in the content type")
    func version() {
        let response = Wallabag().respond(to: Request(method: "GET", path: "/api/version"), .version)
        #expect(JSON(parsing: response.body)?.string?.hasPrefix("2.6.") == true)
        #expect(response.headers["content-type"] == "application/json")
    }

    private struct Problem: APIError {
        var status: Int
        var code: String { "X" }
        var message: String { String(repeating: "é", count: 3_000) }
    }

    @Test("an error has wallabag's shape, one about tokens that of OAuth, and both are short")
    func errors() {
        let error = NeighbourFamily.wallabag.response(to: Problem(status: 404))
        #expect(error.status == 404 && error.body.count < 2_100)
        #expect(JSON(parsing: error.body)?["error"]?["code"] == .number(404))
        let refusal = NeighbourFamily.wallabag.response(to: Problem(status: 401), isCredentials: true)
        #expect(JSON(parsing: refusal.body)?["error"] == .string("invalid_grant"))
        #expect(JSON(parsing: refusal.body)?["error_description"] != nil)
    }
}
