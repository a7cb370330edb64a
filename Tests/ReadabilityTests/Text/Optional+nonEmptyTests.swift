import Testing

@testable import Readability

@Suite("Readability / optional texts")
struct OptionalNonEmptyTests {
    @Test("an empty text is nil")
    func nonEmpty() {
        #expect(String?("a").nonEmpty == "a")
        #expect(String?("").nonEmpty == nil && String?.none.nonEmpty == nil)
    }
}
