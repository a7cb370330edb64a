import HTML
import Testing

@testable import Readability

@Suite("Readability / lazy images")
struct LazyImagesTests {
    private func content(_ inside: String, mode: ExtractionMode = .compat) throws -> String {
        let text = String(repeating: paragraph, count: 4)
        return try #require(
            try article("<div class=article>\(text)<p>\(sentence)\(inside)</p></div>", mode: mode)
        ).content
    }

    @Test("an empty source counts in mode compat; mode best sets the real one")
    func emptySource() throws {
        let image = "<img src='' data-src=a.jpg>"
        #expect(try content(image).contains("src=\"\""))
        #expect(try content(image, mode: .best).contains("src=\"http://host.example/dir/a.jpg\""))
    }

    @Test(
        "an embedded image of less than 133 base64 characters is replaced",
        arguments: [(132, true), (133, false)])
    func placeholder(length: Int, isReplaced: Bool) throws {
        let data = "data:image/gif;base64,\n" + String(repeating: "A", count: length)
        let content = try content("<img src='\(data)' data-src=real.jpg>")
        #expect(content.contains(" src=\"http://host.example/dir/real.jpg\"") == isReplaced)
    }

    @Test("a noscript whose image was used is a placeholder for the next one's")
    func twoNoscripts() throws {
        let content = try content(
            "<img src=small.gif><noscript><img src=one.png></noscript><noscript><img src=two.png></noscript>"
        )
        #expect(content.contains("src=\"http://host.example/dir/one.png\" data-old-src=\"small.gif\""))
        #expect(content.contains("src=\"http://host.example/dir/two.png\" data-old-src=\"one.png\""))
    }
}
