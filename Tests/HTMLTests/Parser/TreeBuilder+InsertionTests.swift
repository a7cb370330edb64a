import HTML
import Testing

@Suite("HTML / insertion")
struct TreeBuilderInsertionTests {
    @Test("a text assembled from many pieces has them in order, wherever they come from")
    func joinedTexts() throws {
        var document = try Document(
            parsing: "<p>a</x>b</x>c&amp;d</x>e<table>f<tr>g</x title='&amp;'>h<tr title='&amp;'>i</table>")
        #expect(document.textContent(document.root) == "abc&defghi")
        let paragraph = try #require(document.first([.p], below: document.root))
        let text = try #require(document.firstChild(paragraph))
        document.detach(text)
        #expect(document.textContent(text) == "abc&defghi" || document.textContent(text) == "abc&de")
    }

    @Test("attributes of repeated html and body tags are added to the first ones, each name once")
    func lateAttributes() throws {
        let document = try Document(
            parsing: "<html lang=a><body id=b><html lang=c dir=rtl><body id=d class=e><html dir=ltr>")
        #expect(
            document.html.map { document.allAttributes($0) } == [
                .init(name: "lang", value: "a"), .init(name: "dir", value: "rtl"),
            ])
        #expect(
            document.body.map { document.allAttributes($0) } == [
                .init(name: "id", value: "b"), .init(name: "class", value: "e"),
            ])
    }
}
