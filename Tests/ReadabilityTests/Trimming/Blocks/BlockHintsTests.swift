import HTML
import Testing

@testable import Readability

@Suite("Readability / block hints")
struct BlockHintsTests {
    private func hints(_ attributes: String) throws -> BlockHints {
        let document = try Document(parsing: "<div \(attributes)></div>")
        return BlockHints.of(try #require(document.first([.div], below: document.root)), in: document)
    }

    @Test(
        "class names are read word by word, in any notation",
        arguments: [
            ("class=sdc-related__title", .related), ("class=photoCredit", .caption), ("class=read-more", .related),
            ("id=comments", .comments),
            ("class='post AD_SLOT'", .advertisement), ("class=screen-reader-text", .unseen),
        ] as [(String, BlockHints)])
    func names(attributes: String, hint: BlockHints) throws { #expect(try hints(attributes).contains(hint)) }

    @Test("words inside other words are ignored", arguments: ["gradient", "headache", "shareholder", "commentary", ""])
    func otherNames(name: String) throws { #expect(try hints("class='\(name)'").isEmpty) }

    @Test("itemprop and role are read, too")
    func properties() throws {
        #expect(try hints("itemprop=author") == .author)
        #expect(try hints("role=navigation") == .navigation)
        #expect(try hints("") == [])
    }
}
