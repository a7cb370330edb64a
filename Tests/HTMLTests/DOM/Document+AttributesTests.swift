import HTML
import Testing

@Suite("HTML / attributes")
struct DocumentAttributesTests {
    @Test("attributes are read, set, added and removed in place, in source order")
    func attributes() throws {
        var document = try Document(parsing: "<img SRC=a alt='' data-x=1><img src=b>")
        let images = document.elements([.img], below: document.root)
        document.set(images[0], .width, to: "5")
        document.set(images[0], .src, to: "c")
        document.remove(images[0], named: "data-x")
        #expect(
            document.allAttributes(images[0]) == [
                .init(name: "src", value: "c"), .init(name: "alt", value: ""), .init(name: "width", value: "5"),
            ])
        #expect(document.attribute(images[1], .src) == "b")
        #expect(document.attribute(images[1], .alt) == nil)
        #expect(document.attribute(images[0], .src, is: "c"))
    }
}
