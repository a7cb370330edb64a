import Links
import Testing

@Suite("Links / split URL")
struct SplitURLTests {
    @Test("a URL is split at its delimiters")
    func parts() {
        let url = SplitURL("HTTP://u:p@H.example:80/a/b?c=d?#e#f")
        #expect(url.scheme == "HTTP" && url.authority == "u:p@H.example:80" && url.path == "/a/b")
        #expect(url.query == "c=d?" && url.fragment == "e#f")
    }

    @Test(
        "joined parts have the same spelling",
        arguments: [
            "http://h", "http://h?", "http://h#", "//h/a", "a:b", "a/b:c", "?", "#", "", "1a:b", "HTTPS:///x?y#z",
            "mailto:a@b?c",
        ])
    func roundTrip(text: String) { #expect(SplitURL(text).text == text) }

    @Test(
        "the host excludes user information, port and brackets",
        arguments: [
            ("http://u:p@h:80/", "h"), ("http://[::1]:80/", "::1"), ("http://u@[::1]", "::1"), ("http://a@b@h/", "h"),
            ("//h", "h"),
            ("http:///x", ""), ("mailto:a@b", nil), ("http://[::1", nil),
        ] as [(String, String?)])
    func host(text: String, expected: String?) { #expect(SplitURL(text).host.map(String.init) == expected) }

    @Test(
        "http and https are web schemes in any case",
        arguments: [
            ("http:x", true), ("HttpS:x", true), ("httpx:x", false), ("htt:x", false), ("ftp:x", false), ("x", false),
        ])
    func web(text: String, expected: Bool) { #expect(SplitURL(text).isWeb == expected) }
}
