import REST
import Testing

@testable import App

@Suite("App / long statements")
struct LongStatementsTests {
    @Test("a function that changes many links may take longer than other requests")
    func changes() throws {
        #expect(LongStatements.contains(try plan("POST", body: "{}", of: .function("change_links"))))
        #expect(!LongStatements.contains(try plan("POST", body: "{}", of: .function("save_page"))))
        #expect(!LongStatements.contains(try plan("GET")))
    }
}
