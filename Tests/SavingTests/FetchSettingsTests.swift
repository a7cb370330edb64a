import HTTPFetch
import Settings
import Testing

@testable import Saving

@Suite("Saving / settings of fetching")
struct FetchSettingsTests {
    @Test(
        "what the jobs could not start with, or would fail at for every link, is told beforehand",
        arguments: [
            ("FETCH_ALLOW", "10.0.0.0/33"), ("FETCH_ALLOW", "inner.example:http"),
            ("FETCH_PROXY", "proxy.example:3128"),
            ("FETCH_PROXY", "ftp://proxy.example"), ("FETCH_PROXY", "http://"), ("FETCH_PROXY", "http://:80"),
            ("FETCH_PROXY", "http://proxy.example:99999"), ("FETCH_PROXY", "http://a b"),
            ("USER_AGENT", "me\r\nCookie: x"),
        ])
    func refused(name: String, value: String) {
        let error = #expect(throws: Settings.Invalid.self) {
            try Settings(environment: ["LECTERN_\(name)": value], rules: SavedLinkJobs.rules)
        }
        #expect(error?.problems.count == 1)
        #expect(error?.description.hasPrefix("LECTERN_\(name) ") == true)
    }

    @Test(
        "what the fetcher understands is let through",
        arguments: [
            ("FETCH_ALLOW", "inner.example:8080, 10.0.0.0/8, [fd00::1]:80"), ("FETCH_PROXY", ""),
            ("FETCH_PROXY", "http://proxy.example:3128"), ("FETCH_PROXY", "socks5h://user:p%40ss@[::1]:1080/"),
            ("USER_AGENT", "Läser/1.0 (+https://read.example)"),
        ])
    func accepted(name: String, value: String) throws {
        _ = try FetchSettings(Settings(environment: ["LECTERN_\(name)": value], rules: SavedLinkJobs.rules))
    }

    @Test("an error about a proxy does not contain its password")
    func secret() {
        let error = #expect(throws: Settings.Invalid.self) {
            try Settings(environment: ["LECTERN_FETCH_PROXY": "me:hunter2@proxy"], rules: SavedLinkJobs.rules)
        }
        #expect(error?.description.contains("hunter2") == false)
    }
}
