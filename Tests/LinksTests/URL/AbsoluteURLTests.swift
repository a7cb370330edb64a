import Links
import Testing

@Suite("Links / absolute URLs")
struct AbsoluteURLTests {
    /// RFC 3986, sections 5.4.1 and 5.4.2, without the rows that browsers handle differently.
    @Test(
        "references resolve as RFC 3986 lists them",
        arguments: [
            ("g", "http://a/b/c/g"), ("./g", "http://a/b/c/g"), ("g/", "http://a/b/c/g/"), ("/g", "http://a/g"),
            ("//g", "http://g"), ("?y", "http://a/b/c/d;p?y"), ("g?y", "http://a/b/c/g?y"),
            ("#s", "http://a/b/c/d;p?q#s"), ("g#s", "http://a/b/c/g#s"), ("g?y#s", "http://a/b/c/g?y#s"),
            (";x", "http://a/b/c/;x"), ("g;x", "http://a/b/c/g;x"), ("", "http://a/b/c/d;p?q"),
            (".", "http://a/b/c/"), ("./", "http://a/b/c/"), ("..", "http://a/b/"), ("../", "http://a/b/"),
            ("../g", "http://a/b/g"), ("../..", "http://a/"), ("../../g", "http://a/g"), ("../../../g", "http://a/g"),
            ("/./g", "http://a/g"), ("/../g", "http://a/g"), ("g.", "http://a/b/c/g."), ("..g", "http://a/b/c/..g"),
            ("./../g", "http://a/b/g"), ("g/./h", "http://a/b/c/g/h"), ("g/../h", "http://a/b/c/h"),
            ("g;x=1/../y", "http://a/b/c/y"), ("g?y/../x", "http://a/b/c/g?y/../x"),
            ("g#s/../x", "http://a/b/c/g#s/../x"),
            ("http:g", "http://a/b/c/g"), ("mailto:x@y", "mailto:x@y"),
        ])
    func references(reference: String, expected: String) {
        #expect(AbsoluteURL.resolve(reference, against: "http://a/b/c/d;p?q") == expected)
    }

    @Test(
        "errors that browsers tolerate are corrected",
        arguments: [
            (" /x y\n", "https://h/x%20y"), ("/a\tb", "https://h/ab"), ("\\\\other\\p", "https://other/p"),
            ("https:///other/p", "https://other/p"), ("http:other", "http://other"), ("/%2e%2E/x", "https://h/x"),
            ("/é?ü#ö", "https://h/%C3%A9?%C3%BC#%C3%B6"), ("/a|b{c}", "https://h/a|b%7Bc%7D"),
            ("?a'b", "https://h/d/?a%27b"),
            ("/a\\b?c\\d", "https://h/a/b?c\\d"), ("HTTPS://H/X", "HTTPS://H/X"), ("//h2?x", "https://h2?x"),
            ("/a//b/", "https://h/a//b/"), ("/100%", "https://h/100%"),
        ])
    func forgiven(reference: String, expected: String) {
        #expect(AbsoluteURL.resolve(reference, against: "https://h/d/") == expected)
    }

    @Test(
        "references that do not resolve to an http(s) URL are nil",
        arguments: [
            ("page", ""), ("page", "mailto:x"), ("http://", ""), ("http://:80/", ""), ("http://user@/", ""),
        ])
    func refused(reference: String, base: String) {
        #expect(AbsoluteURL.resolve(reference, against: base) == nil)
    }

    @Test("no URL exceeds the maximum length, not even after percent-encoding")
    func bounded() {
        #expect(AbsoluteURL.resolve(String(repeating: "a", count: 70_000), against: "http://a/") == nil)
        let long = String(repeating: "ü", count: 32_000)
        #expect(AbsoluteURL.resolve("/" + long, against: "http://a/") == nil)
    }
}
