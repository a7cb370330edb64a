import HTTP
import Testing

@testable import Neighbours

@Suite("Neighbours / PullRead")
struct PullReadTests {
    private func route(_ method: String, _ path: String, _ headers: Headers = [:]) -> PullReadRoute? {
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        return PullReadRoute(segments, Request(method: method, path: path, headers: headers))
    }

    @Test("the viewer's paths are read with GET and HEAD, and other methods are refused")
    func methods() {
        #expect(route("GET", "/api/files") == .files)
        #expect(route("HEAD", "/api/file") == .file)
        #expect(route("POST", "/api/files") == .refused)
        #expect(route("GET", "/api/summarize") == .refused)
        #expect(route("GET", "/api/tts/chunk/1/2") == .refused)
        #expect(route("POST", "/api/session") == .session)
    }

    @Test(
        "paths of other readers are not the viewer's", arguments: ["/api/entries", "/api/files/x", "/api", "/favicons"])
    func others(path: String) {
        #expect(route("GET", path) == nil)
    }

    @Test("a save with the viewer's cookie alone is refused")
    func cookie() {
        #expect(route("POST", "/api/save") == .save)
        #expect(route("POST", "/api/save", ["cookie": "lectern_token=x"]) == .refused)
        #expect(route("POST", "/api/save", ["cookie": "lectern_token=x", "authorization": "Bearer x"]) == .save)
    }

    @Test(
        "what could begin a tag is shielded in a file that the viewer changes",
        arguments: [
            (#"\left\<img>"#, "\\left\\<\u{2060}img>"),
            ("`{}` </b> <!-- <?", "`{}` <\u{2060}/b> <\u{2060}!-- <\u{2060}?"),
            ("a_POSTSU <a", "a_POSTSU <\u{2060}a"),
            ("(http://x\n<a", "(http://x\n<\u{2060}a"),
            ("b [ \n<a", "b [ \n<\u{2060}a"),
            ("{<https://x.test> <mailto:a@b.test> a < b <3", nil),
            (
                "![](https://substackcdn.com/image/fetch/w/https%3A%2F%2Fx%29%3Cb%3e%20%2)",
                "![](https://substackcdn.com/image/fetch/w/https%3A%2F%2Fx%2529%253Cb%253e%2520%2)"
            ),
        ])
    func shielded(body: String, expected: String?) {
        let front = "---\ntitle: \"{<b>\"\n---\n"
        #expect(ViewerMarkdown.shielded(front + body) == front + (expected ?? body))
    }

    @Test(
        "a file that the viewer does not change stays as it is",
        arguments: ["`<b>` [x](http://y) a", "", "```\n<b>\n```"])
    func unshielded(body: String) {
        #expect(ViewerMarkdown.shielded("---\n---\n" + body) == "---\n---\n" + body)
        #expect(ViewerMarkdown.shielded(body) == body)
    }

    @Test("an icon has the name of a domain")
    func icons() {
        #expect(route("GET", "/favicons/Tea.example.png") == .favicon(domain: "tea.example"))
        #expect(route("GET", "/favicons/a b.png") == nil)
        #expect(route("GET", "/favicons/.png") == nil)
    }

    @Test("the token is found among other cookies")
    func token() {
        #expect(PullReadCookie.token(in: ["cookie": "a=b; lectern_token=lct_x; c"]) == "lct_x")
        #expect(PullReadCookie.token(in: ["cookie": "lectern_token="]) == nil)
        #expect(PullReadCookie.token(in: [:]) == nil)
    }

    @Test("cookies are below the path of the service, and Secure behind TLS")
    func fields() {
        let fields = PullReadCookie.fields(token: "x", publicURL: "https://a.test/lectern", seconds: 5)
        #expect(
            fields[0] == "lectern_token=x; Path=/lectern/api; Max-Age=5; HttpOnly; SameSite=Strict; Secure")
        let plain = PullReadCookie.fields(token: nil, publicURL: "http://a.test", seconds: 5)
        #expect(plain[1] == "lectern_icons=; Path=/favicons; Max-Age=0; HttpOnly; SameSite=Strict")
    }

    @Test(
        "names that are paths are not found",
        arguments: ["name=../x", "name=a%2Fb", "name=%2e%2e", "name=%00", "name=%"])
    func names(query: String) {
        #expect(throws: PullReadError.noFile) {
            try PullRead.name(Request(method: "GET", path: "/api/file", query: query))
        }
    }
}
