import Testing

@testable import Text

@Suite("Text / markup tokens")
struct MarkupTokenTests {
    private func tokens(_ text: String) -> [MarkupToken] {
        let bytes = Array(text.utf8)
        var (tokens, position): ([MarkupToken], Int) = ([], 0)
        while position < bytes.count, let found = MarkupToken.first(of: bytes[position...], isLast: true) {
            if let token = found.token { tokens.append(token) }
            position = found.end
        }
        return tokens
    }

    @Test("tags, texts, comments and CDATA are told apart, and references are decoded outside of CDATA")
    func kinds() {
        #expect(
            tokens("<A Href='x?a&amp;b' b=1 c>T&eacute;<!-- <i> --><![CDATA[<b>&amp;]]></A >") == [
                .start("a", ["href": "x?a&b", "b": "1", "c": ""]), .text("Té"), .comment(" <i> "), .text("<b>&amp;"),
                .end("a"),
            ])
    }

    @Test("what is not a tag is text, and a document type ends after its own declarations")
    func noTags() {
        #expect(tokens("1 < 2 <3") == [.text("1 "), .text("< 2 "), .text("<3")])
        #expect(tokens("<!DOCTYPE x [<!ENTITY a 'b'>]>t").last == .text("t"))
        #expect(tokens("<?xml version='1.0'?><a>") == [.comment("?xml version='1.0'?"), .start("a", [:])])
    }

    @Test(
        "an element without content is told from an address that ends with a slash",
        arguments: [
            ("<a/>", true), ("<a />", true), ("<a b=\"c\"/>", true), ("<a b='c' />", true), ("<a b=c/>", false),
            ("<a>", false),
        ])
    func emptyElements(tag: String, isEmpty: Bool) {
        #expect(MarkupToken.first(of: Array(tag.utf8)[...], isLast: true)?.isEmptyElement == isEmpty)
    }

    @Test(
        "a tag that does not end is no token", arguments: ["<a", "<a b='>", "<!-- -", "<![CDATA[x]]", "<!DOCTYPE [>"])
    func damaged(text: String) { #expect(MarkupToken.first(of: Array(text.utf8)[...], isLast: true)?.end == nil) }

    @Test("a token that may go on is waited for", arguments: ["<", "<!", "<![CDA", "text", "&am"])
    func unfinished(text: String) { #expect(MarkupToken.first(of: Array(text.utf8)[...], isLast: false)?.end == nil) }

    @Test("bytes that are not UTF-8 are ISO 8859-1")
    func latin1() { #expect(String(utf8OrLatin1: [0x54, 0xE9]) == "Té") }

    @Test("two hexadecimal digits are a byte, and nothing else is")
    func hexadecimal() {
        #expect(UInt8(hexadecimal: UInt8(ascii: "a"), UInt8(ascii: "F")) == 0xAF)
        for other in "+1 -1 g0 0g :0 @0 0`".split(separator: " ").map({ Array($0.utf8) }) {
            #expect(UInt8(hexadecimal: other[0], other[1]) == nil)
        }
    }
}
