import Links
import Testing

@Suite("Links / dedupe key")
struct DedupeKeyTests {
    private let key = DedupeKey { $0.lowercased() }

    /// Expects all spellings to have the key of the first one, which is its own key.
    private func same(_ spellings: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        let expected = spellings[0]
        for spelling in spellings { #expect(key(spelling) == expected, sourceLocation: sourceLocation) }
    }

    private func differ(_ urls: [String], sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(
            Set(urls.map { key($0) }).count == urls.count, "\(urls.map { key($0) ?? "none" })",
            sourceLocation: sourceLocation)
    }

    @Test("http and https are equal, in any case and with any number of slashes")
    func scheme() {
        same([
            "https://example.com/a", "http://example.com/a", "HTTP://example.com/a", "hTTps:/example.com/a",
            "http:\\\\example.com/a",
        ])
    }

    @Test("a host is the same in any case, with a trailing dot, and with a leading www")
    func host() {
        same([
            "https://example.com/a", "https://EXAMPLE.com/a", "https://example.com./a", "https://www.example.com/a",
            "https://www.www.example.com/a",
        ])
        same(["https://www.com", "https://www.com."])
        differ(["https://example.com", "https://m.example.com", "https://ww.example.com", "https://wwwexample.com"])
    }

    @Test("an internationalized host equals its Punycode form")
    func international() {
        same([
            "https://xn--bcher-kva.example/a", "https://bücher.example/a", "https://BÜCHER.example/a",
            "https://b%C3%BCcher.example/a",
        ])
        same(["https://xn--r8jz45g.xn--zckzah", "https://例え.テスト/"])
        same(["https://xn--egbpdaj6bu4bxfgehfvwxn.xn--p1ai", "https://ليهمابتكلموشعربي؟.рф"])
        same(["https://xn--4dbrk0ce.xn--mgbaam7a8h/a", "https://ישראל.امارات/a"])
    }

    @Test("hosts that only look alike stay different")
    func homographs() {
        // Cyrillic а, е, ӏ, р and у, Greek ο.
        differ(["https://apple.com", "https://аpple.com", "https://applе.com", "https://appӏe.com"])
        differ(["https://paypal.com", "https://раураl.com", "https://paypa1.com"])
        differ(["https://google.com", "https://gοοgle.com", "https://g00gle.com"])
        differ(["https://strasse.de", "https://straße.de"])
        same(["https://xn--pple-43d.com", "https://аpple.com", "https://XN--PPLE-43D.com"])
    }

    @Test("an IP address has one spelling")
    func addresses() {
        same([
            "https://127.0.0.1/a", "http://127.1/a", "http://0x7f.1/a", "http://017700000001/a", "http://2130706433/a",
        ])
        same(["https://[2001:db8::1:0:0:1]", "http://[2001:DB8:0:0:1:0:0:1]/", "http://[2001:0db8::1:0:0:1]"])
        same(["https://[::ffff:102:304]", "http://[::FFFF:1.2.3.4]"])
        same(["https://[::1]", "https://[0:0:0:0:0:0:0:1]", "https://[0000::0001]:443/", "https://[::0.0.0.1]"])
        same(["https://[::1]:8080/a", "http://[0:0::1]:8080/a/"])
        differ(["https://[::1]", "https://[::2]", "https://[1::]", "https://[::]", "https://127.0.0.1"])
    }

    @Test("the default ports of http and https are dropped; others stay")
    func ports() {
        same([
            "https://example.com/a", "http://example.com:80/a", "https://example.com:443/a", "http://example.com:443/a",
            "http://example.com:/a", "http://example.com:0080/a",
        ])
        differ(["https://example.com", "https://example.com:8080", "https://example.com:8443", "https://example.com:0"])
    }

    @Test("user information distinguishes URLs")
    func user() {
        differ([
            "https://example.com", "https://ann@example.com", "https://Ann@example.com", "https://ann:pw@example.com",
            "https://:pw@example.com",
        ])
        same(["https://example.com", "https://@example.com", "https://:@example.com"])
        same(["https://ann@example.com", "https://ann:@example.com"])
        same(["https://a%40b:c%3Ad@example.com", "https://a@b:c:d@example.com"])
    }

    @Test("dot segments are resolved, trailing slashes are dropped, other slashes stay")
    func path() {
        same([
            "https://example.com/a/b", "https://example.com/a/./b", "https://example.com/a/c/../b",
            "https://example.com/../a/b/", "https://example.com/a/%2e/b//", "https://example.com\\a\\b",
        ])
        same(["https://example.com", "https://example.com/", "https://example.com///", "https://example.com/a/.."])
        differ([
            "https://example.com/a/b", "https://example.com/a//b", "https://example.com//a/b",
            "https://example.com/a///b",
        ])
        differ([
            "https://example.com/a/b", "https://example.com/A/b", "https://example.com/a/B", "https://example.com/a/b.",
            "https://example.com/a/...b",
        ])
        same(["https://example.com/a/b?x", "https://example.com/a/b/?x", "https://example.com/a/b//?x"])
    }

    @Test("text after a semicolon stays, in paths and queries")
    func semicolons() {
        differ([
            "https://example.com/a/b", "https://example.com/a;v=1/b", "https://example.com/a;v=2/b",
            "https://example.com/a/b;", "https://example.com/a%3Bv=1/b",
        ])
        differ(["https://example.com/?a=1&b=2", "https://example.com/?a=1;b=2", "https://example.com/?b=2;a=1"])
        differ(["https://example.com/?a=1", "https://example.com/?a=1;utm_source=x"])
    }

    @Test("unnecessary escapes are decoded; necessary ones are in upper case")
    func escapes() {
        same(["https://example.com/~ann/x-y_z.a", "https://example.com/%7Eann/%78%2dy%5Fz%2Ea"])
        same([
            "https://example.com/caf%C3%A9%20%7Cx%7D", "https://example.com/café |x}",
            "https://example.com/caf%c3%a9%20%7cx%7d",
        ])
        same(["https://example.com/100%25", "https://example.com/100%"])
        same([
            "https://example.com?q=%5B1%5D%7C%22", "https://example.com?q=[1]|\"",
            "https://example.com?%71=%5b1%5d%7c%22",
        ])
        differ(["https://example.com/a'b", "https://example.com/a%27b", "https://example.com/a%2527b"])
    }

    @Test(
        "an escaped delimiter differs from the delimiter",
        arguments: [
            ("a%2Fb", "a/b"), ("a%3Fb", "a?b"), ("a%23b", "a#b"), ("a%3Bb", "a;b"), ("a%40b", "a@b"),
            ("?a%26b", "?a&b"),
            ("?a%3Db", "?a=b"), ("?a%2Bb", "?a+b"), ("a%2C", "a,"), ("a%21", "a!"), ("a%3A", "a:"), ("a%24", "a$"),
            ("a%5Cb", "a\\b"),
        ])
    func delimiters(escaped: String, plain: String) {
        differ(["https://example.com/" + escaped, "https://example.com/" + plain])
        same([
            "https://example.com" + (escaped.hasPrefix("?") ? "" : "/") + escaped,
            "https://example.com/" + escaped.lowercased(),
        ])
    }

    @Test("tracking parameters are dropped, in any case")
    func trackers() {
        same([
            "https://example.com/a?id=1", "https://example.com/a?utm_source=x&id=1",
            "https://example.com/a?id=1&UTM_Campaign=y", "https://example.com/a?fbclid=z&id=1&gclid=",
            "https://example.com/a?utm%5Fmedium=m&id=1", "https://example.com/a?_ga=1&mc_eid=2&id=1",
        ])
        same([
            "https://example.com/a", "https://example.com/a?utm_source", "https://example.com/a?UTM_=",
            "https://example.com/a/?Fbclid=1&utm_x#top",
        ])
        differ([
            "https://example.com/a", "https://example.com/a?utm=1", "https://example.com/a?xutm_source=1",
            "https://example.com/a?ref=home",
        ])
    }

    @Test(
        "each kind of tracking parameter is known",
        arguments: [
            "gclid", "wbraid", "dclid", "msclkid", "yclid", "srsltid", "fbclid", "igshid", "twclid", "ttclid",
            "li_fat_id", "rdt_cid", "ScCid",
            "_ga", "_gl", "_ga_ABC123", "__utma", "mc_cid", "mc_eid", "_hsenc", "_hsmi", "hsCtaTracking", "mkt_tok",
            "oly_anon_id",
            "oly_enc_id", "vero_id", "vero_conv", "_ke", "ck_subscriber_id", "__s", "_bhlid", "elqTrackId",
            "mtm_source", "pk_campaign",
        ])
    func known(name: String) {
        for spelled in [name, name.uppercased(), name.lowercased()] {
            same([
                "https://example.com/a?id=1", "https://example.com/a?\(spelled)=x&id=1",
                "https://example.com/a?id=1&\(spelled)",
            ])
        }
    }

    @Test(
        "parameters that have a meaning on many sites stay",
        arguments: ["ref", "source", "s", "t", "v", "id", "p", "page", "q", "feature", "si", "cid", "share"])
    func meaning(name: String) {
        differ([
            "https://example.com/a", "https://example.com/a?\(name)=1", "https://example.com/a?\(name)=2",
            "https://example.com/a?\(name)",
        ])
    }

    @Test("tracking parameters of one site are dropped only there")
    func sites() {
        same([
            "https://youtube.com/watch?v=x", "https://www.youtube.com/watch?v=x&feature=share",
            "https://youtube.com/watch?si=abc&v=x",
        ])
        same(["https://youtu.be/x", "https://youtu.be/x?si=abc&feature=shared", "https://youtu.be/x?SI=abc"])
        same(["https://x.com/a/status/1", "https://x.com/a/status/1?s=20&t=abc"])
        same(["https://open.spotify.com/track/1", "https://open.spotify.com/track/1?si=abc"])
        differ([
            "https://example.com/?feature=share", "https://example.com/", "https://example.com/?si=1",
            "https://notyoutube.com/?si=1", "https://notyoutube.com",
        ])
        differ(["https://youtube.com/watch?v=x", "https://youtube.com/watch?v=y", "https://youtube.com/watch?t=9&v=x"])
    }

    @Test("parameters are sorted by name; parameters with the same name keep their order and number")
    func parameters() {
        same([
            "https://example.com?a=2&a=1&b=3", "https://example.com/?b=3&a=2&a=1", "https://example.com/?a=2&b=3&a=1",
            "https://example.com/?&a=2&&b=3&a=1&",
        ])
        differ(["https://example.com/?a=1&a=2", "https://example.com/?a=2&a=1", "https://example.com/?a=1"])
        differ([
            "https://example.com/?a", "https://example.com/?a=", "https://example.com/", "https://example.com/?=",
            "https://example.com/?a==", "https://example.com/?a&a", "https://example.com/?a&a=",
        ])
        same(["https://example.com?A=1&a=1&a%5B%5D=2&b", "https://example.com?b&a[]=2&a=1&A=1"])
        same(["https://example.com", "https://example.com?", "https://example.com/?#", "https://example.com/?&"])
    }

    @Test("plus equals an escaped blank in a query, but not in a path")
    func plus() {
        same(["https://example.com?q=a%20b", "https://example.com?q=a+b", "https://example.com?q=a b"])
        differ(["https://example.com/a+b", "https://example.com/a%20b", "https://example.com?q=a%2Bb"])
    }

    @Test("a fragment is dropped unless it routes")
    func fragments() {
        same([
            "https://example.com/a", "https://example.com/a#", "https://example.com/a#top",
            "https://example.com/a#:~:text=word",
        ])
        same(["https://example.com/a#!/x", "https://example.com/a#!/x:~:text=word"])
        same([
            "https://example.com/a#/x%20y", "https://example.com/a#/x y",
            "https://example.com/a#/x%20y:~:text=a&text=b",
        ])
        same([
            "https://example.com/a", "https://example.com/a#x/y", "https://example.com/a#?!",
            "https://example.com/a#top:~:text=word",
        ])
        differ([
            "https://example.com/a", "https://example.com/a#!x", "https://example.com/a#/x", "https://example.com/a#/y",
            "https://example.com/a#/X",
        ])
        differ(["https://example.com/a#/x?utm_source=1", "https://example.com/a#/x", "https://example.com/a#/x/"])
    }

    @Test("surrounding white space is dropped, and so are line breaks and tabs inside")
    func whiteSpace() {
        same(["https://example.com/ab", "  https://example.com/ab\n", "\thttps://exam\nple.com/a\tb\r\n"])
        same([
            "https://example.com/ab", "\u{A0}https://example.com/ab\u{3000}",
            "\u{2003} https://example.com/ab \u{2028}",
        ])
        differ(["https://example.com/ab", "https://example.com/a%20b", "https://example.com/ab%20"])
    }

    @Test(
        "the key of a key is the key itself",
        arguments: [
            "HTTP://Ann:P@WWW.Example.COM.:8080//a/./b%2f%7e/?b=2&A=+&utm_source=x&b=1#!/x:~:text=y",
            "http://[0::1]:443/%", "http://0x7f.1?a[]=é",
            "http://BÜCHER.de/ü?ü#/ü", "http://www.www.com?&&", "http://a@b@c/", "http:a/b",
            "http://a/..//../b/%2e%2E/", "https://example.com#/%7E:%7e:",
        ])
    func own(url: String) throws {
        let first = try #require(key(url))
        #expect(first.hasPrefix("https://") && first.utf8.allSatisfy { (0x21...0x7E).contains($0) })
        #expect(key(first) == first)
    }

    @Test("bytes that are not valid UTF-8 are percent-encoded, and are not allowed in a host")
    func badUTF8() {
        func key(_ bytes: [UInt8]) -> String? { self.key(bytes[...]).map { String(decoding: $0, as: UTF8.self) } }
        #expect(key(Array("http://a/".utf8) + [0xFF, 0xC3]) == "https://a/%FF%C3")
        #expect(key(Array("http://a/?q=".utf8) + [0xFE]) == "https://a?q=%FE")
        #expect(key(Array("http://a".utf8) + [0xFF] + Array(".de/".utf8)) == nil)
        #expect(key(Array("http://a/b".utf8) + [0x00] + Array("c".utf8)) == "https://a/b%00c")
    }

    @Test(
        "text that is not an http URL has no key",
        arguments: [
            "", "note", "javascript:alert(1)", "data:text/html,x", "ftp://example.com", "mailto:a@b.org",
            "//example.com", "http://",
            "https:///", "http://?x", "http://[::1", "http://[::g]", "http://a:b/", "http://a:65536/",
            "http://1.2.3.256/", "http://a b/",
            "http://%zz/", "http://%ff/", "http://a%2Fb/", "http://.",
            "https://" + String(repeating: "a", count: 65_536),
        ])
    func none(url: String) {
        #expect(key(url) == nil)
    }

    @Test("ten thousand parameters and sixty-four kilobytes are handled")
    func large() throws {
        let query = (1...10_000).map { "p\($0 % 97)=\($0)" }.joined(separator: "&")
        let long = "https://example.com/?" + String(query.prefix(65_000))
        let first = try #require(key(long))
        #expect(key(first) == first)
    }

    @Test("there is no key if it would exceed the maximum length of a URL")
    func tooLong() {
        #expect(key("https://example.com/" + String(repeating: "é", count: 10_000)) != nil)
        #expect(key("https://example.com/" + String(repeating: "é", count: 30_000)) == nil)
        #expect(key("https://example.com/" + String(repeating: "a", count: 65_516)) != nil)
        #expect(key("https://example.com/" + String(repeating: "a", count: 65_517)) == nil)
    }
}
