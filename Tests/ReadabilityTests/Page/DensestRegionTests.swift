import Testing

@testable import Readability

@Suite("Readability / the part of a page with most of its text")
struct DensestRegionTests {
    private static let sentence = "The ferry leaves at noon, when the tide allows it, and returns before dark. "

    private func text(_ body: String) throws -> String {
        try #require(try article("<h1>The ferry and the tide</h1>\(body)", mode: .best)).textContent
    }

    /// Contributions to a thread, each in boxes of its own.
    private func posts(_ count: Int) -> String {
        (1...count).map { number in
            "<div class=message><div class=name>Ann</div><div class=cell><div class=inner>"
                + "Post \(number). \(String(repeating: Self.sentence, count: number == 2 ? 4 : 3))</div></div></div>"
        }.joined()
    }

    @Test("an article that is spread over many boxes is found whole")
    func spread() throws {
        let text = try text("<div id=thread>\(posts(5))</div>")
        for number in 1...5 { #expect(text.contains("Post \(number).")) }
    }

    @Test("comments, side bars and the foot of the page are no such part")
    func others() throws {
        let article = "<article><p>\(String(repeating: Self.sentence, count: 9))</p></article>"
        for name in ["comments", "sidebar", "footer"] {
            let other = "<div class=\(name)>\(String(repeating: "<p>OTHER. \(Self.sentence)</p>", count: 8))</div>"
            #expect(try !text(article + other).contains("OTHER"), "\(name)")
        }
    }
}
