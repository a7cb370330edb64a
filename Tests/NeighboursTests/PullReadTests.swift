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
