import Testing

@testable import Readability

@Suite("Readability / picture sources")
struct PictureSourcesTests {
    private let site = "http://host.example/dir/"

    @Test(
        "the best of several sizes is chosen",
        arguments: [
            ("<img src=s.jpg srcset='s.jpg 300w, m.jpg 1200w, l.jpg 2400w'>", "m.jpg"),
            ("<img src=s.jpg srcset='s.jpg 300w, l.jpg 2400w, x.jpg 4000w'>", "l.jpg"),
            ("<img src=s.jpg srcset='s.jpg 300w, m.jpg 1600w, l.jpg 2000w'>", "l.jpg"),
            ("<img src=s.jpg srcset='s.jpg, m.jpg 2x'>", "m.jpg"), ("<img src=a.jpg srcset='t.jpg 120w'>", "a.jpg"),
            (
                "<picture><source type=image/avif srcset=a.avif><source srcset=a.webp><img src=a.jpg></picture>",
                "a.webp"
            ),
            ("<picture><source type=image/avif srcset='a.avif 800w'><img src='x.jpg'></picture>", "a.avif"),
            ("<picture><source data-srcset='a.webp 640w, b.webp 1280w'><img></picture>", "b.webp"),
            ("<img src=a.svg>", "a.svg"), ("<img src=image.jpg>", "image.jpg"),
            ("<img data-src='a_{width}x.jpg'>", "a_1200x.jpg"),
        ])
    func sizes(html: String, taken: String) throws { #expect(try RichPage(html).pictures == [site + taken]) }

    @Test("a photograph in a data URL is a picture, and other long addresses are ignored", arguments: [2_000, 400_000])
    func photographs(length: Int) throws {
        let address = "data:image/jpeg;base64," + String(repeating: "A", count: length)
        #expect(try RichPage("<img src='\(address)'>").pictures == [address])
        #expect(try RichPage("<img src='http://a.example/\(String(repeating: "a", count: 40_000))'>").pictures == [])
    }

    @Test(
        "a small data URL and a file named like a placeholder are placeholders",
        arguments: [
            ("data:image/gif;base64,AAAA", true), ("/i/placeholder.png", true),
            ("https://a.example/blank-1x1.gif?x", true), ("SPACER.gif", true),
            ("image.jpg", false), ("loading-dock.jpg", false), ("cat.jpg", false),
        ])
    func placeholders(address: String, expected: Bool) { #expect(PictureSources.isPlaceholder(address) == expected) }

    @Test(
        "a picture's file is known by the extension at the end of its path",
        arguments: [
            ("a.jpg", true), ("https://a.example/x/b.WEBP?w=1#c", true), ("a.html", false), ("a b.jpg", false),
            ("{a}.jpg", false), (".jpg", false),
        ])
    func extensions(address: String, expected: Bool) {
        #expect(PictureSources.hasPictureExtension(address) == expected)
    }
}
