import HTML
import Testing

@Suite("HTML / tag set")
struct TagSetTests {
    @Test("a set contains the tags it was made of, and no others")
    func contains() {
        let tags: [HTML.Tag] = [.none, .a, .h1, .section, .xmp]
        #expect(HTML.Tag.allCases.filter(TagSet(tags).contains) == tags)
    }

    @Test("a union contains the tags of both sets")
    func union() {
        let both = TagSet([.a, .wbr]).union([.p])
        #expect(HTML.Tag.allCases.filter(both.contains) == [.a, .p, .wbr])
    }
}
