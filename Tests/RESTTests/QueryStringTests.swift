import REST
import Testing

@Suite("REST / query strings")
struct QueryStringTests {
    @Test("parameters are decoded after they are split")
    func decoding() throws {
        let query = try QueryString("a=b%26c+d&e=%3D=&f&&a=2")
        #expect(query.parameters.map(\.name) == ["a", "e", "f", "a"])
        #expect(query.parameters.map(\.value) == ["b&c d", "==", "", "2"])
        #expect(query["a"] == "b&c d" && query["x"] == nil)
    }

    @Test("invalid escapes, invalid UTF-8 and NUL are refused", arguments: ["a=%", "a=%4", "a=%4g", "%ff=a", "a=%00"])
    func malformed(text: String) {
        let error = #expect(throws: QueryError.self) { try QueryString(text) }
        #expect(error?.code == "PGRST100")
    }

    @Test("the number of parameters is limited")
    func many() {
        #expect(throws: QueryError.self) { try QueryString(Array(repeating: "a=b", count: 201).joined(separator: "&")) }
    }
}
