import Testing

@testable import Readability

@Suite("Readability / section headings")
struct BoilerplateSectionsTests {
    @Test(
        "phrases open a section anywhere, names only as the whole heading",
        arguments: [
            ("more from the tidewater", true), ("related", true), ("comments (12)", true), ("関連記事", true),
            ("related work", false),
            ("comments on the method", false), ("winter", false),
        ])
    func opens(text: String, expected: Bool) { #expect(Boilerplate.opensSection(Array(text.utf8)[...]) == expected) }
}
