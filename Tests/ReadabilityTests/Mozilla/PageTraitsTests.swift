import HTML
import Testing

@testable import Readability

@Suite("Readability / page traits")
struct PageTraitsTests {
    @Test(
        "a text's trimmed length is counted up to the limit",
        arguments: [("  a b \u{A0}", 3), ("", 0), (" \n", 0), ("é𝄞 x", 5), ("0123456789abcdef", 10)])
    func trimmedLength(text: String, length: Int) throws {
        let page = try Document(parsing: "<p>\(text)</p>")
        #expect(page.trimmedLength(page.root, countingTo: 10) == length)
    }
}
