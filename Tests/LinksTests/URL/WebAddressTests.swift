import Links
import Testing

@Suite("Links / web addresses")
struct WebAddressTests {
    @Test(
        "references are resolved as browsers do",
        arguments: [
            ("g", "http://a/b/c/g"), ("./g/", "http://a/b/c/g/"), ("../g", "http://a/b/g"),
            ("../../../g", "http://a/g"),
            ("/g", "http://a/g"), ("//h/x", "http://h/x"), ("?y", "http://a/b/c/d?y"), ("#s", "http://a/b/c/d?q#s"),
            ("", "http://a/b/c/d?q"), ("g?y/./x", "http://a/b/c/g?y/./x"), ("..", "http://a/b/"),
            (".", "http://a/b/c/"),
            ("http:g", "http://a/b/c/g"), ("http:/g", "http://a/g"), ("file:///g/h", "file:///g/h"),
            ("\\g\\h", "http://a/g/h"), (" g \n", "http://a/b/c/g"),
            ("g h", "http://a/b/c/g%20h"),
            ("é?é#é", "http://a/b/c/%C3%A9?%C3%A9#%C3%A9"), ("mailto:x@y", "mailto:x@y"), ("%2e%2e/g", "http://a/b/g"),
        ])
    func relative(written: String, resolved: String) throws {
        let base = try #require(WebAddress("http://a/b/c/d?q"))
        #expect(WebAddress(written, relativeTo: base)?.text == resolved)
    }

    @Test(
        "absolute URLs are normalized",
        arguments: [
            ("HTTP://EXAMPLE.com", "http://example.com/"), ("https://a:443/x", "https://a/x"),
            ("http://a:8080", "http://a:8080/"),
            ("http://u:p@a/", "http://u:p@a/"), ("http://münchen.de/ä", "http://xn--mnchen-3ya.de/%C3%A4"),
            ("http:///a//b", "http://a//b"), ("file:a", "file:///a"), ("file://H/a", "file://h/a"),
            ("file://localhost/a", "file:///a"),
            ("http://@a/", "http://a/"), ("http://u:@a/", "http://u@a/"),
            ("http://[2001:DB8::1]/", "http://[2001:db8::1]/"),
            ("java\nscript:alert(1)", "javascript:alert(1)"), ("https://例え.テスト", "https://xn--r8jz45g.xn--zckzah/"),
        ])
    func absolute(written: String, expected: String) { #expect(WebAddress(written)?.text == expected) }

    @Test(
        "invalid URLs are rejected",
        arguments: [
            "", "x", "/x", "http://", "http://a b/", "http://a:99999999/", "://x", "1a:b", "http://[", "http://[x]/",
        ])
    func none(written: String) { #expect(WebAddress(written) == nil) }
}
