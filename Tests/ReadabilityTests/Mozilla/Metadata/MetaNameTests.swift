import Testing

@testable import Readability

@Suite("Readability / names of meta elements")
struct MetaNameTests {
    @Test(
        "a property contains a known name anywhere",
        arguments: [
            ("og:title", "og:title"), ("x:y DC : Title", "dc:title"),
            ("article:published_time", "article:published_time"),
            ("dcterm:creator", "dcterm:creator"), ("og title", nil), ("og:ti tle", nil), ("", nil),
        ] as [(String, String?)])
    func property(written: String, name: String?) { #expect(MetaName.inProperty(written) == name) }

    @Test(
        "a name is known as a whole, with a separator of any kind",
        arguments: [
            ("DC.Title", "dc:title"), ("parsely-pub-date", "parsely-pub-date"), (" title ", "title"),
            ("weibo:article:title", "weibo:article:title"),
            ("subtitle", nil), ("dctitle", nil), ("", nil),
        ] as [(String, String?)])
    func name(written: String, name: String?) { #expect(MetaName.ofName(written) == name) }
}
