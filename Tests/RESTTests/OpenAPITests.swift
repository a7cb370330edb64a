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
                    "/rpc/touch", "/rpc/words",
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

    @Test("a function that only reads has GET with its arguments, and says what it returns")
    func functions() throws {
        func operation(_ path: String, _ method: String) throws -> [String: Any]? {
            let paths = try #require(description["paths"] as? [String: [String: Any]])
            return paths[path]?[method] as? [String: Any]
        }
        func schema(_ operation: [String: Any]?) -> [String: Any]? {
            let responses = operation?["responses"] as? [String: [String: Any]]
            return responses?["200"]?["schema"] as? [String: Any]
        }
        #expect(try operation("/rpc/save_page", "get") == nil)
        let saved = schema(try operation("/rpc/save_page", "post"))
        #expect((saved?["items"] as? [String: String])?["$ref"] == "#/definitions/links")
        let words = try operation("/rpc/words", "get")
        let parameters = try #require(words?["parameters"] as? [[String: Any]])
        #expect(parameters.first?["name"] as? String == "of_list" && parameters.first?["in"] as? String == "query")
        #expect(parameters.contains { $0["$ref"] as? String == "#/parameters/order" })
        let row = schema(words)?["items"] as? [String: Any]
        #expect((row?["properties"] as? [String: Any])?.keys.sorted() == ["list", "words"])
        let touch = try operation("/rpc/touch", "post")?["responses"] as? [String: Any]
        #expect(touch?.keys.sorted() == ["204"])
        #expect(schema(try operation("/rpc/add", "get"))?["format"] as? String == "int4")
    }
}
