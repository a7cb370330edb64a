@testable import Auth
import Testing

@Suite("Auth / personal API tokens")
struct PersonalTokenTests {
    @Test("a new token can be read again and has the same hash")
    func roundTrip() throws {
        let token = PersonalToken()
        #expect(token.text.hasPrefix("lct_") && token.text.utf8.count == 47)
        #expect(try #require(PersonalToken(token.text)).hash == token.hash)
        #expect(token.hash.count == 64 && token.text.hasPrefix(token.prefix) && token.prefix.count == 12)
    }

    @Test("two tokens differ")
    func random() { #expect(PersonalToken().text != PersonalToken().text) }

    @Test(
        "text of another shape is not a token",
        arguments: [
            "", "lct_", "lct_" + String(repeating: "a", count: 42), "xyz_" + String(repeating: "a", count: 43),
        ])
    func refused(text: String) { #expect(PersonalToken(text) == nil) }
}
