import HTML
import Testing

@testable import Readability

@Suite("Readability / resolving URLs")
struct AddressResolverTests {
    @Test(
        "a URL is resolved against the page's base",
        arguments: [
            ("b.jpg", "https://a.example/x/b.jpg"), (" //b.example/c ", "https://b.example/c"),
            ("/q?a=1&amp;b=2", "https://a.example/q?a=1&b=2"),
            ("javascript:alert(1)", nil), ("data:image/png;base64,AAAA", nil), ("ftp://a.example/x", nil),
            (String(repeating: "a", count: 5_000), nil), (nil, nil),
        ] as [(String?, String?)])
    func resolved(written: String?, expected: String?) throws {
        let resolver = AddressResolver(try Document(parsing: "<base href=/x/>"), url: "https://a.example/p/q")
        #expect(resolver.absolute(written) == expected)
    }
}
