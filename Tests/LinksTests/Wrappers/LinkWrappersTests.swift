import Testing

@testable import Links

@Suite("Links / URLs that contain another URL")
struct LinkWrappersTests {
    private func target(_ url: String) -> String? { LinkWrappers.standard.target(of: url) }

    @Test(
        "the target of a wrapper is read without a request",
        arguments: [
            (
                "https://www.google.com/url?sa=t&url=https%3A%2F%2Fexample.org%2Fa%3Fb%3D1&usg=x",
                "https://example.org/a?b=1"
            ),
            ("https://www.google.co.uk/url?q=https://example.org/a&sa=D", "https://example.org/a"),
            ("https://l.facebook.com/l.php?u=https%3A%2F%2Fexample.org%2Fa&h=AT0", "https://example.org/a"),
            ("https://L.Instagram.com/?U=https%3A%2F%2Fexample.org%2Fa&e=x", "https://example.org/a"),
            ("https://www.youtube.com/redirect?event=x&q=https%3A%2F%2Fexample.org%2Fa", "https://example.org/a"),
            ("https://duckduckgo.com/l/?uddg=https%3A%2F%2Fexample.org%2Fa&rut=1", "https://example.org/a"),
            ("https://out.reddit.com/t3_x?url=https%3A%2F%2Fexample.org%2Fa&token=1", "https://example.org/a"),
            ("https://href.li/?https://example.org/a?b=c&d", "https://example.org/a?b=c&d"),
            (
                "https://eur01.safelinks.protection.outlook.com/?url=https%3A%2F%2Fexample.org%2Fa&data=05",
                "https://example.org/a"
            ),
            (
                "https://urldefense.proofpoint.com/v2/url?u=https-3A__example.org_a-2520b&d=x",
                "https://example.org/a%20b"
            ),
            ("https://steamcommunity.com/linkfilter/?u=https%3A%2F%2Fexample.org", "https://example.org"),
            (
                "https://r.search.yahoo.com/_ylt=A/RV=2/RE=1/RO=10/RU=https%3a%2f%2fexample.org%2fa/RK=2/RS=x",
                "https://example.org/a"
            ),
            ("https://secure-web.cisco.com/1abcDEF/https%3A%2F%2Fexample.org%2Fa", "https://example.org/a"),
            ("https://x1.r.us-east-1.awstrack.me/L0/https:%2F%2Fexample.org%2Fa/1/0100/sig=1", "https://example.org/a"),
            ("https://www.anrdoezrs.net/links/123/type/dlg/https://example.org/a?b=1", "https://example.org/a?b=1"),
            ("https://prf.hn/click/camref:1/destination:https%3A%2F%2Fexample.org%2Fa", "https://example.org/a"),
            ("https://www.google.com/amp/s/example.org/a.html", "https://example.org/a.html"),
            ("https://www-example-org.cdn.ampproject.org/c/s/www.example.org/a?b", "https://www.example.org/a?b"),
            ("https://www-example-org.cdn.ampproject.org/v/www.example.org/a", "http://www.example.org/a"),
            (
                "https://www.google.com/url?q=https://example.org/watch%3Fv%3D1%26t%3D2&sa=D",
                "https://example.org/watch?v=1&t=2"
            ),
            (
                "https://www.google.com/url?sa=t&q=https%3A%2F%2Fexample.com&url=https%3A%2F%2Fexample.org%2Fa",
                "https://example.org/a"
            ),
            (
                "https://www.anrdoezrs.net/links/1/dlg/https://example.org/web/http://b.example/",
                "https://example.org/web/http://b.example/"
            ),
            ("https://www.google.com/url?q=https%3A%2F%2Fexample.org%2Fa#part", "https://example.org/a#part"),
            ("https://www.google.com/url?q=https%3A%2F%2Fexample.org%2Fa%23own#part", "https://example.org/a#own"),
            ("https://href.li/?https://example.org/#/page", "https://example.org/#/page"),
            ("https://www.google.com/amp/s/example.org/a#amp_tf=From", "https://example.org/a"),
        ])
    func unwrapped(url: String, expected: String) { #expect(target(url) == expected) }

    @Test(
        "a target in base64 is read, alone, in JSON or within other data",
        arguments: [
            // https://example.org/a
            ("https://news.example/r?encoded_url=aHR0cHM6Ly9leGFtcGxlLm9yZy9h", "https://example.org/a"),
            ("https://news.example/r?encoded_url=aHR0cHM6Ly9leGFtcGxlLm9yZy9h%3D%3D", "https://example.org/a"),
            ("https://news.example/any/where?x=1&encoded_url=https%3A%2F%2Fexample.org%2Fa", "https://example.org/a"),
            ("https://click.convertkit-mail.com/abc/def/aHR0cHM6Ly9leGFtcGxlLm9yZy9h", "https://example.org/a"),
            ("https://www.bing.com/ck/a?!&&p=1&u=a1aHR0cHM6Ly9leGFtcGxlLm9yZy9h&ntb=1", "https://example.org/a"),
            // {"e":"https:\/\/example.org\/a?b=1\u0026c=2","p":1}
            (
                "https://substack.com/redirect/2/eyJlIjoiaHR0cHM6XC9cL2V4YW1wbGUub3JnXC9hP2I9MVx1MDAyNmM9MiIsInAiOjF9.sig?utm=1",
                "https://example.org/a?b=1&c=2"
            ),
            // https://example.org/Köln; {"e":"https://example.org/K\u00f6ln"}
            (
                "https://news.example/r?encoded_url=aHR0cHM6Ly9leGFtcGxlLm9yZy9Lw7Zsbg==",
                "https://example.org/K%C3%B6ln"
            ),
            (
                "https://substack.com/redirect/2/eyJlIjoiaHR0cHM6Ly9leGFtcGxlLm9yZy9LXHUwMGY2bG4ifQ==",
                "https://example.org/K%C3%B6ln"
            ),
            // 08 13 22 15 "https://example.org/a" d2 01 00
            (
                "https://news.google.com/rss/articles/CBMiFWh0dHBzOi8vZXhhbXBsZS5vcmcvYdIBAA?oc=5",
                "https://example.org/a"
            ),
        ])
    func base64(url: String, expected: String) { #expect(target(url) == expected) }

    @Test(
        "a redirecting script is recognized by its name on any site",
        arguments: [
            "https://site.example/redirect?url=", "https://site.example/go.php?to=",
            "https://site.example/a/b/out/?link=", "http://127.0.0.1:8080/click?target=",
            "https://forum.example/goto/link-confirmation?url=", "https://site.example/Redirect.ASPX?id=1&Destination=",
            "https://site.example/l?goto=", "https://site.example/track?redirect_to=",
        ])
    func scripts(url: String) {
        #expect(target(url + "https%3A%2F%2Fexample.org%2Fa") == "https://example.org/a")
        #expect(target(url + "https%253A%252F%252Fexample.org%252Fa") == "https://example.org/a")
        #expect(target(url + "https://example.org/a&x=1") == "https://example.org/a")
        #expect(target(url + "/a/page") == nil)
    }

    @Test(
        "a URL without a target, or of a page about another URL, has no target",
        arguments: [
            "https://example.org/", "https://example.org/a?b=c",
            "https://example.org/share?url=https%3A%2F%2Fexample.com%2F",
            "https://translate.example/translate?u=https://example.org/",
            "https://example.org/login?redirect_to=https%3A%2F%2Fexample.org%2Fa",
            "https://validator.example/check?uri=https://example.org",
            "https://www.google.com/search?q=https://example.org/",
            "https://www.youtube.com/watch?v=https://example.org/", "https://example.org/redirect?url=",
            "https://example.org/redirect?url=javascript:alert(1)",
            "https://example.org/redirect?url=file:///etc/passwd",
            "https://example.org/redirect?url=aGVsbG8gd29ybGQsIGhlbGxv",
            "https://example.org/redirect?url=https%3A%2F%2F", "https://t.co/abc",
            "https://apple.news/AbCdEf?url=https://example.org/",
            "https://disq.us/url?url=https%3A%2F%2Fexample.org%2Fa%3Ahash&cuid=1",
            "https://web.archive.org/web/2024/https://example.org/",
            "https://web.archive.org/web/2015/http://example.com/out?url=http://example.org/",
            "https://reader.example/https://example.com/redirect?url=https%3A%2F%2Fexample.org",
            "https://developers.google.com/amp/cache/x.html",
            "https://www.reddit.com/media?url=https%3A%2F%2Fexample.org%2Fa.jpg",
            "https://substack.com/redirect/1b9d6bcd?j=eyJ1IjoiMTIzNDU2In0", "mailto:a@b",
            "ftp://x/redirect?url=https://example.org/", "", "https://",
            "https://example.org/redirect?url=%", "https://example.org/redirect?url=%68%74%74%70",
            "https://www.google.com/amp/s/", "https://www.google.com/amp/s/novel",
        ])
    func kept(url: String) { #expect(target(url) == nil) }

    @Test("a domain matches its subdomains, but not a name that only ends alike")
    func sites() {
        #expect(target("https://notfacebook.com/flx/warn/?u=https%3A%2F%2Fexample.org%2Fa") == nil)
        #expect(target("https://m.facebook.com/flx/warn/?u=https%3A%2F%2Fexample.org%2Fa") == "https://example.org/a")
        #expect(target("https://google.longer.com/imgres?imgrefurl=https%3A%2F%2Fexample.org%2Fa") == nil)
        #expect(
            target("https://images.google.com.br/imgres?imgrefurl=https%3A%2F%2Fexample.org%2Fa")
                == "https://example.org/a")
    }

    @Test(
        "a URL of the maximum length is read whatever it contains; a longer one is not",
        arguments: ["h", "aHR0cH", "a=&", "url=&", "url=h&", "%25", "http:/", "/out", "\u{301}", "%68ttp"])
    func long(part: String) {
        let room = AbsoluteURL.maximumBytes - 200
        let filling = String(repeating: part, count: room / part.utf8.count)
        #expect(target("https://example.org/redirect?url=\(filling)") == nil)
        #expect(target("https://example.org/redirect?\(filling)") == nil)
        #expect(target("https://example.org/\(filling)/redirect") == nil)
        #expect(
            target(
                "https://example.org/redirect?url=https://example.org/"
                    + String(repeating: "a", count: AbsoluteURL.maximumBytes)) == nil)
    }

    @Test("every row of the list follows its format")
    func rows() {
        let lines = String(decoding: PackageResources.LinkWrappers_tsv, as: UTF8.self).split(separator: "\n").filter {
            !$0.hasPrefix("#")
        }
        #expect(lines.count > 60)
        for line in lines {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            #expect(columns.count == 4 && columns.allSatisfy { !$0.isEmpty }, "\(line)")
            #expect(columns[0] == columns[0].lowercased() && !columns[0].contains(" "), "\(line)")
        }
    }
}
