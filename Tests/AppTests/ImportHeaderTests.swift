import REST
import Testing

@testable import App

@Suite("App / purpose of a save")
struct ImportHeaderTests {
    @Test("the header may say import or be absent")
    func known() throws {
        #expect(try ImportHeader([:]) == nil)
        #expect(try ImportHeader(["x-lectern-intent": "import"]) == .import)
    }

    @Test("other values are refused", arguments: ["", "Import", "export"])
    func unknown(value: String) {
        #expect(throws: QueryError.self) { try ImportHeader(["x-lectern-intent": value]) }
    }
}
