import Testing

@testable import Readability

@Suite("Readability / duplicate pictures")
struct DuplicatePicturesTests {
    private let site = "http://host.example/dir/"

    @Test("copies of a picture are merged")
    func duplicates() throws {
        let page = try RichPage(
            """
            <figure class=desktop><img src=cat-1024x768.jpg><figcaption>A cat</figcaption></figure>
            <figure class=mobile><img src='cat-300x200.jpg?w=300'><figcaption>A cat</figcaption></figure>
            <figure><img src=/cdn/w_600/dog.jpg></figure><figure><img src=/cdn/w_1200,h_800/dog.jpg alt=Dog></figure>
            <figure><img src='show?id=1&w=100'></figure><figure><img src='show?id=2&w=100'></figure>
            """)
        #expect(
            page.pictures == [
                site + "cat-1024x768.jpg", "http://host.example/cdn/w_600/dog.jpg", site + "show?id=1&amp;w=100",
                site + "show?id=2&amp;w=100",
            ])
        #expect(page.content.contains("alt=\"Dog\""))
    }
}
