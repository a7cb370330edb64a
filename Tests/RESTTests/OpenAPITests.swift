import Foundation
import REST
import Testing

@Suite("REST / OpenAPI")
struct OpenAPITests {
    private let description: [String: Any]

    init() throws {
        let json = OpenAPI(
            catalog, url: "https://read.example/base", title: "Lectern", description: "Saved links."
        ).json
        description = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
    }

    @Test("each table and function has a path, and each table a definition")
    func complete() throws {
        let paths = try #require(description["paths"] as? [String: Any])
        #expect(
            Set(paths.keys)
                == [
                    "/", "/links", "/tags", "/link_tags", "/articles", "/collections", "/rpc/save_page", "/rpc/add",
                    "/rpc/touch",
                ])
        #expect((description["definitions"] as? [String: Any])?.count == 5)
        #expect(description["host"] as? String == "read.example")
    }

    @Test("every reference can be resolved")
    func references() throws {
        let parameters = try #require(description["parameters"] as? [String: Any])
        let json = OpenAPI(catalog, url: "", title: "", description: "").json
        for match in json.matches(of: /"#\/parameters\/([^"]+)"/) { #expect(parameters[String(match.1)] != nil) }
    }
}
