import REST
import Testing

@testable import App

@Suite("App / purpose of a save")
struct ClientIntentTests {
    @Test("the header may say import or be absent")
    func known() throws {
        #expect(try ClientIntent([:]) == nil)
        #expect(try ClientIntent(["x-lectern-intent": "import"]) == .import)
    }

    @Test("other values are refused", arguments: ["", "Import", "export"])
    func unknown(value: String) {
        #expect(throws: QueryError.self) { try ClientIntent(["x-lectern-intent": value]) }
    }
}
