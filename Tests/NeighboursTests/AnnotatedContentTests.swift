import Testing

@testable import Neighbours

@Suite("Neighbours / annotated content")
struct AnnotatedContentTests {
    private typealias End = AnnotatedContent.End

    private static let html = """
        <div><h2>Tea &amp; cake</h2><p>The cup 🍵 is  full.</p><p>Look:<br>the <em>cup</em> is full.</p></div><img src="a>b">
        <ul><li>one</li><li>the cup is full</li></ul><pre>
        a
          b</pre>
        """
    private static let plain = """
        Tea & cake

        The cup 🍵 is full.

        Look:
        the cup is full.

        one
        the cup is full

        a
          b
        """
    private let content: AnnotatedContent

    init() throws { content = try #require(AnnotatedContent(Self.html, plain: Self.plain)) }

    private func passage(
        _ start: End, _ end: End, _ quote: String
    ) -> (text: String, passage: AnnotatedContent.Passage)? {
        content.passage(from: start, to: end, quote: quote).map {
            (String(decoding: Array(Self.plain.utf16)[$0.range], as: UTF16.self), $0)
        }
    }

    @Test("a path leads to the passage in its element, and not to an equal one")
    func paths() throws {
        let (text, found) = try #require(
            passage(.init(path: "/ul[1]/li[2]", offset: 4), .init(path: "/ul[1]/li[2]", offset: 15), "cup is full"))
        #expect(text == "cup is full" && found.range.lowerBound == Self.plain.utf16.count - 11 - 7)
        #expect(found.prefix?.hasSuffix("one\nthe ") == true && found.suffix == "\n\na\n  b")
        let across = try #require(
            passage(.init(path: "/div[1]/p[2]", offset: 5), .init(path: "/div[1]/p[2]/em[1]", offset: 3), "the cup"))
        #expect(across.text == "the cup")
        let units = try #require(
            passage(.init(path: "/div/p", offset: 11), .init(path: "/div/p[1]", offset: 20), "is  full."))
        #expect(units.text == "is full.")
        let root = try #require(passage(.init(path: "", offset: 0), .init(path: "/", offset: 14), "Tea & cakeThe "))
        #expect(root.text == "Tea & cake\n\nThe")
    }

    @Test("steps to an element around the content are left out if the passage is then the quote")
    func outerSteps() throws {
        let path = "/div[3]/article[1]/ul[1]/li[2]"
        let found = try #require(passage(.init(path: path, offset: 4), .init(path: path, offset: 7), "cup"))
        #expect(found.text == "cup" && found.passage.prefix != nil)
        #expect(passage(.init(path: path, offset: 4), .init(path: path, offset: 7), "tea") == nil)
    }

    @Test("a passage that is not the quote is a hint without text around it")
    func hints() throws {
        let found = try #require(
            passage(.init(path: "/ul[1]/li[1]", offset: 0), .init(path: "/ul[1]/li[1]", offset: 3), "cup"))
        #expect(found.text == "one" && found.passage.prefix == nil && found.passage.suffix == nil)
    }

    @Test(
        "places that are not in the content lead nowhere",
        arguments: [
            "/p[1]", "/ul[1]/li[3]", "/ul[1]/li[x]", "/ul[1]/li[0]", "ul", String(repeating: "/ul", count: 9_000),
        ])
    func unknown(path: String) {
        #expect(passage(.init(path: path, offset: 0), .init(path: path, offset: 2), "zz") == nil)
        #expect(passage(.init(path: "/ul[1]", offset: 0), .init(path: "/ul[1]", offset: 99), "zz") == nil)
        #expect(passage(.init(path: "/ul[1]", offset: 9), .init(path: "/ul[1]", offset: 2), "zz") == nil)
    }

    @Test("a highlight has the ends that annotator.js makes, which lead back to it")
    func ends() throws {
        let first = Self.plain.utf16.count - 7 - 11
        let (start, end) = try #require(content.ends(of: first..<first + 3))
        #expect(start == End(path: "/ul[1]/li[2]", offset: 4) && end == End(path: "/ul[1]/li[2]", offset: 7))
        let (heading, after) = try #require(content.ends(of: 4..<19))
        #expect(heading == End(path: "/div[1]/h2[1]", offset: 4) && after == End(path: "/div[1]/p[1]", offset: 7))
        for range in [0..<3, 0..<40, 30..<45] {
            let (start, end) = try #require(content.ends(of: range))
            let back = try #require(content.passage(from: start, to: end, quote: ""))
            #expect(back.range.lowerBound >= range.lowerBound && back.range.upperBound <= range.upperBound)
        }
        #expect(content.ends(of: 11..<12) == nil && content.ends(of: 900..<950) == nil)
    }

    @Test("beyond the first difference of content and text nothing is known")
    func differences() throws {
        let content = try #require(AnnotatedContent("<p>one two</p>", plain: "one 2 and more"))
        #expect(content.ends(of: 0..<3) != nil && content.ends(of: 0..<5) == nil && content.ends(of: 6..<9) == nil)
    }

    @Test("content that is too deep is not read")
    func bounds() {
        #expect(AnnotatedContent(String(repeating: "<div>", count: 100_000), plain: "") == nil)
        #expect(AnnotatedContent("</p>a<p", plain: "a") != nil)
    }
}
