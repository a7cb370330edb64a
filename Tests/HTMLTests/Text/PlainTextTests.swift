import Testing

@testable import HTML

@Suite("HTML / plain text")
struct PlainTextTests {
    private func lines(_ html: String, limit: Int = 1_000) -> [String] {
        PlainText.of(Array(html.utf8), limit: limit).lines
    }

    @Test(
        "tags are removed: inline tags leave nothing, the others end the line",
        arguments: [
            ("<p>One <b>bo</b>ld</p><p>two</p>", ["One bold", "two"]),
            ("a<br>b<div>c</div>d", ["a", "b", "c", "d"]),
            ("<ul><li>x<li>y</ul>", ["x", "y"]),
            ("  spaced \n\t out  ", ["spaced out"]),
            ("1 < 2 <3 </ 4 < ", ["1 < 2 <3 </ 4 <"]),
            (#"<a title="x > y" href='<p>'>t</a>"#, ["t"]),
            ("<a href=it's>t</a>", ["t"]),
            ("<P>upper</P><custom-thing>own</custom-thing>", ["upper", "own"]),
            ("", []),
            ("<", ["<"]), ("a<b", ["a"]), ("<p", []), ("</", ["</"]),
        ])
    func tags(html: String, expected: [String]) { #expect(lines(html) == expected) }

    @Test(
        "content that browsers do not display is left out",
        arguments: [
            "a<!-- x --> b", "a<!-- <p> > -- x --> b", "a<!--> b", "a<?php x ?> b", "a<!doctype html> b",
            "a<span></span> b", "a<script>if (x < y) '</p>'</script> b", "a<STYLE>p > q {}</style > b",
            "a<!-- x --!> b", "a<!---> b", "a<!-- --!-- x --> b", "a<!----!> b", "a<!--!> x --> b", "a<!---!> x --> b",
            "a<!x \"> b", "a<?x='> b",
            "a<script><!-- </script> b", "a<script>1</scripty></script> b", "a<textarea><p>x</textarea> b",
        ])
    func notShown(html: String) { #expect(lines(html).joined(separator: " ") == "a b") }

    @Test(
        "unclosed constructs extend to the end of the page",
        arguments: [
            "a<!-- x", "a<script>x", "a<style>x</styl", "a<p title=\"x", "a<!--", "a<title>x",
        ])
    func notClosed(html: String) { #expect(lines(html) == ["a"]) }

    @Test("character references are decoded once")
    func references() {
        #expect(lines("<p>&lt;b&gt; &amp;amp; &eacute;&#x41;&nope;</p>") == ["<b> &amp; éA&nope;"])
    }

    @Test("the first title is stored separately")
    func title() {
        let plain = PlainText.of(
            Array("<title>\n A &amp; <b> \n</title><p>x</p><svg><title>y</title></svg>".utf8), limit: 100)
        #expect(plain == PlainText(title: "A & <b>", lines: ["x"]))
    }

    @Test(
        "the title of an SVG image is not the title of the page",
        arguments: [
            "<svg><title>y</title></svg>", "<SVG a=b><g><svg><title>y</title></svg><title>z</title></g></SVG>",
            "<svg/>", "<svg><svg/><title>y</title></svg>",
        ])
    func titleOfPicture(picture: String) {
        let plain = PlainText.of(Array((picture + "<title>T</title><p>x</p>").utf8), limit: 100)
        #expect(plain == PlainText(title: "T", lines: ["x"]))
    }

    @Test(
        "literal text that is displayed is kept unchanged",
        arguments: [
            ("a<xmp><b> &amp; x</b>\n</p></xmp >b<i>c</i>", ["a", "<b> &amp; x</b> </p>", "bc"]),
            ("a<listing>b <b>c</b> &lt;</listing>d", ["a", "b c <", "d"]),
            ("a<plaintext>b</plaintext><p>c", ["a", "b</plaintext><p>c"]),
            ("<xmp>a", ["a"]), ("<xmp></xmp>", []),
        ])
    func asItStands(html: String, expected: [String]) { #expect(lines(html) == expected) }

    @Test("characters that HTML cannot contain do not appear in lines")
    func controls() { #expect(lines("a\0b&#13;c<p>\0</p>") == ["ab c"]) }

    @Test("bytes that are not valid UTF-8 are replaced")
    func invalid() { #expect(PlainText.of([0x61, 0xFF, 0x62], limit: 10).lines == ["a\u{FFFD}b"]) }

    @Test("scanning stops at the limit")
    func limit() {
        let long = lines(String(repeating: "<p>word</p>", count: 1_000), limit: 60)
        #expect(long == Array(repeating: "word", count: 5))
        #expect(lines(String(repeating: "x", count: 1_000), limit: 50) == [String(repeating: "x", count: 50)])
        #expect(lines("<xmp>" + String(repeating: "x", count: 1_000), limit: 50) == [String(repeating: "x", count: 50)])
    }

    @Test(
        "ten megabytes of any input take less than two seconds", .timeLimit(.minutes(5)),
        arguments: [
            "<div>", "<!--", "<script>", "</scr", "<title>", "&amp;", "&", "<a b='", "<", "</", "- ", "x", "<xmp>",
            "<svg>", "--!", "<plaintext>",
        ])
    func linear(piece: String) {
        let page = Array(String(repeating: piece, count: 10_000_000 / piece.utf8.count).utf8)
        #if DEBUG
        let part = Array(page.prefix(100_000))
        #else
        let part = page
        #endif
        #expect(processorSeconds { _ = PlainText.of(part, limit: .max) } < 2)
    }
}
