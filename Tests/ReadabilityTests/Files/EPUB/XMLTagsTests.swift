import Testing

@testable import Readability

@Suite("Readability / tags of XML files")
struct XMLTagsTests {
    private func tags(_ text: String) -> [XMLTags.Tag] { XMLTags(Array(text.utf8)).all }

    @Test("tags have local names, attributes and the text after them")
    func tags() {
        #expect(
            tags("<?xml version='1.0'?><!-- <x> --><dc:title id=\"a\" b = 'c>'>Tea &amp;\n Cake</dc:title><i/>")
                == [
                    XMLTags.Tag(name: "title", attributes: ["id": "a"], text: "'>Tea & Cake"),
                    XMLTags.Tag(name: "title", isEnd: true), XMLTags.Tag(name: "i"),
                ])
        #expect(tags("<t><![CDATA[1 < 2]]></t>").first?.text == "1 < 2")
        #expect(
            XMLTags([0xFF, 0xFE] + "<t>ä".utf16.flatMap { [UInt8($0 & 255), UInt8($0 >> 8)] }).all.first?.text == "ä")
    }

    @Test(
        "broken files end early",
        arguments: ["", "<", "<a", "<a b", "<a b=", "<a b='", "<!--", "<![CDATA[", "</", "<>", "<?"])
    func broken(text: String) { #expect(tags(text).count <= 1) }
}
