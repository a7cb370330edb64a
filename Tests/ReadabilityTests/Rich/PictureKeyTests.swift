import HTML
import Links
import Testing

@testable import Readability

@Suite("Readability / keys of pictures")
struct PictureKeyTests {
    @Test(
        "the renditions of one picture have the same key",
        arguments: [
            ("https://a.example/cat-1024x768.jpg", "http://A.example/cat-300x200.jpg?w=300"),
            ("https://a.example/w_600/dog.jpg", "https://a.example/w_1200,h_800/dog.jpg"),
            ("https://a.example/cat-scaled.jpg", "https://a.example/cat.jpg#top"),
            ("https://cdn.example/fit/https://a.example/cat.jpg", "https://a.example/cat.jpg"),
            ("https://cdn.example/?url=https%3A%2F%2Fa.example%2Fcat.jpg&w=9", "https://a.example/cat.jpg"),
            ("https://a.example/show?id=1&w=100", "https://a.example/show?id=1&w=900"),
        ])
    func same(one: String, other: String) { #expect(PictureKey(one) == PictureKey(other)) }

    @Test(
        "different pictures have different keys",
        arguments: [
            ("https://a.example/1.jpg", "https://a.example/2.jpg"),
            ("https://a.example/show?id=1", "https://a.example/show?id=2"),
            ("https://a.example/cat.jpg", "https://b.example/cat.jpg"),
            ("https://a.example/cat.jpg", "https://a.example/cat.png"),
            ("https://a.example/12/cat.jpg", "https://a.example/13/cat.jpg"),
        ])
    func different(one: String, other: String) { #expect(PictureKey(one) != PictureKey(other)) }

    @Test("a relative URL is resolved first")
    func relative() {
        #expect(
            PictureKey("cat.jpg", relativeTo: WebAddress("https://a.example/x/"))
                == PictureKey("https://a.example/x/cat.jpg"))
    }
}
