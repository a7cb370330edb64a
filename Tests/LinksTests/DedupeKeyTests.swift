import Links
import Testing

@Suite("Links / dedupe key")
struct DedupeKeyTests {
    private let key = DedupeKey { $0.lowercased() }

    /// All have the key of the first, which is its own.
    private func same(_ spellings: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        let expected = spellings[0]
        for spelling in spellings { #expect(key(spelling) == expected, sourceLocation: sourceLocation) }
    }

    private func differ(_ urls: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(Set(urls.map { key($0) }).count == urls.count, "\(urls.map { key($0) ?? "none" })", sourceLocation: sourceLocation)
    }

    @Test("http and https are one, in any case and with any slashes")
    func scheme() {
        same(["https://example.com/a", "http://example.com/a", "HTTP://example.com/a", "hTTps:/example.com/a", "http:\\\\example.com/a"])
    }

    @Test("a host is one in any case, with a dot behind it, and with www in front")
    func host() {
        same(["https://example.com/a", "https://EXAMPLE.com/a", "https://example.com./a", "https://www.example.com/a", "https://www.www.example.com/a"])
        same(["https://www.com", "https://www.com."])
        differ(["https://example.com", "https://m.example.com", "https://ww.example.com", "https://wwwexample.com"])
    }

    @Test("a host in letters of the world is its Punycode")
    func international() {
        same(["https://xn--bcher-kva.example/a", "https://bücher.example/a", "https://BÜCHER.example/a", "https://b%C3%BCcher.example/a"])
        same(["https://xn--r8jz45g.xn--zckzah", "https://例え.テスト/"])
        same(["https://xn--egbpdaj6bu4bxfgehfvwxn.xn--p1ai", "https://ليهمابتكلموشعربي؟.рф"])
    }

    @Test("addresses have one spelling")
    func addresses() {
        same(["https://127.0.0.1/a", "http://127.1/a", "http://0x7f.1/a", "http://017700000001/a", "http://2130706433/a"])
        same(["https://[2001:db8::1:0:0:1]", "http://[2001:DB8:0:0:1:0:0:1]/", "http://[2001:0db8::1:0:0:1]"])
        same(["https://[::ffff:102:304]", "http://[::FFFF:1.2.3.4]"])
    }

    @Test("the ports of http and https are none, others stay")
    func ports() {
        same(["https://example.com/a", "http://example.com:80/a", "https://example.com:443/a", "http://example.com:443/a", "http://example.com:/a", "http://example.com:0080/a"])
        differ(["https://example.com", "https://example.com:8080", "https://example.com:8443", "https://example.com:0"])
    }

    @Test("who is named before the host distinguishes")
    func user() {
        differ(["https://example.com", "https://ann@example.com", "https://Ann@example.com", "https://ann:pw@example.com", "https://:pw@example.com"])
        same(["https://example.com", "https://@example.com", "https://:@example.com"])
        same(["https://ann@example.com", "https://ann:@example.com"])
        same(["https://a%40b:c%3Ad@example.com", "https://a@b:c:d@example.com"])
    }

    @Test("dot segments are resolved, slashes at the end are off, others stay")
    func path() {
        same(["https://example.com/a/b", "https://example.com/a/./b", "https://example.com/a/c/../b", "https://example.com/../a/b/", "https://example.com/a/%2e/b//", "https://example.com\\a\\b"])
        same(["https://example.com", "https://example.com/", "https://example.com///", "https://example.com/a/.."])
        differ(["https://example.com/a/b", "https://example.com/a//b", "https://example.com//a/b", "https://example.com/A/b", "https://example.com/a;v=1/b", "https://example.com/a%2Fb"])
    }

    @Test("an escape that is not needed is undone, one that is needed is in upper case")
    func escapes() {
        same(["https://example.com/~ann/x-y_z.a", "https://example.com/%7Eann/%78%2dy%5Fz%2Ea"])
        same(["https://example.com/caf%C3%A9%20%7Cx%7D", "https://example.com/café |x}", "https://example.com/caf%c3%a9%20%7cx%7d"])
        same(["https://example.com/100%25", "https://example.com/100%"])
        differ(["https://example.com/a'b", "https://example.com/a%27b", "https://example.com/a%2527b"])
    }

    @Test("tracker parameters are off, in any case")
    func trackers() {
        same(["https://example.com/a?id=1", "https://example.com/a?utm_source=x&id=1", "https://example.com/a?id=1&UTM_Campaign=y", "https://example.com/a?fbclid=z&id=1&gclid=", "https://example.com/a?utm%5Fmedium=m&id=1", "https://example.com/a?_ga=1&mc_eid=2&id=1"])
        differ(["https://example.com/a", "https://example.com/a?utm=1", "https://example.com/a?xutm_source=1", "https://example.com/a?ref=home"])
    }

    @Test("marks of one site are marks there and nowhere else")
    func sites() {
        same(["https://youtube.com/watch?v=x", "https://www.youtube.com/watch?v=x&feature=share", "https://youtube.com/watch?si=abc&v=x"])
        differ(["https://example.com/?feature=share", "https://example.com/"])
    }

    @Test("parameters are sorted by name, those of one name keep their order and number")
    func parameters() {
        same(["https://example.com?a=2&a=1&b=3", "https://example.com/?b=3&a=2&a=1", "https://example.com/?a=2&b=3&a=1", "https://example.com/?&a=2&&b=3&a=1&"])
        differ(["https://example.com/?a=1&a=2", "https://example.com/?a=2&a=1", "https://example.com/?a=1"])
        differ(["https://example.com/?a", "https://example.com/?a=", "https://example.com/"])
        same(["https://example.com", "https://example.com?", "https://example.com/?#", "https://example.com/?&"])
    }

    @Test("plus and an escaped blank are one in a query, and two in a path")
    func plus() {
        same(["https://example.com?q=a%20b", "https://example.com?q=a+b", "https://example.com?q=a b"])
        differ(["https://example.com/a+b", "https://example.com/a%20b", "https://example.com?q=a%2Bb"])
    }

    @Test("a fragment is off, unless it routes")
    func fragments() {
        same(["https://example.com/a", "https://example.com/a#", "https://example.com/a#top", "https://example.com/a#:~:text=word"])
        same(["https://example.com/a#!/x", "https://example.com/a#!/x:~:text=word"])
        differ(["https://example.com/a", "https://example.com/a#!x", "https://example.com/a#/x", "https://example.com/a#/y"])
    }

    @Test("white space around it is off, and line breaks and tabs inside")
    func whiteSpace() {
        same(["https://example.com/ab", "  https://example.com/ab\n", "\thttps://exam\nple.com/a\tb\r\n"])
    }

    @Test("what is no http URL has no key", arguments: [
        "", "note", "javascript:alert(1)", "data:text/html,x", "ftp://example.com", "mailto:a@b.org", "//example.com", "http://",
        "https:///", "http://?x", "http://[::1", "http://[::g]", "http://a:b/", "http://a:65536/", "http://1.2.3.256/", "http://a b/",
        "http://%zz/", "http://%ff/", "http://a%2Fb/", "http://.", "https://" + String(repeating: "a", count: 65_536),
    ])
    func none(url: String) {
        #expect(key(url) == nil)
    }

    @Test("ten thousand parameters and sixty-four kilobytes are no trouble")
    func large() throws {
        let query = (1...10_000).map { "p\($0 % 97)=\($0)" }.joined(separator: "&")
        let long = "https://example.com/?" + String(query.prefix(65_000))
        let first = try #require(key(long))
        #expect(key(first) == first)
    }
}
