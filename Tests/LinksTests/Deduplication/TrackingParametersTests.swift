import Testing

@testable import Links

@Suite("Links / tracking parameters")
struct TrackingParametersTests {
    private func isTracking(_ name: String, host: String = "") -> Bool {
        TrackingParameters.standard.matcher(for: host.utf8).contains(Array(name.utf8)[...])
    }

    @Test(
        "campaign parameters are recognized in any case",
        arguments: ["utm_source", "UTM_Medium", "fbclid", "utm_anything", "_ga"])
    func recognised(name: String) {
        #expect(isTracking(name))
    }

    @Test("names that only look similar stay", arguments: ["utmost", "id", "ref", "utm", "gclid2", "s", "feature"])
    func kept(name: String) {
        #expect(!isTracking(name, host: "example.com"))
    }

    @Test(
        "some parameters are tracking parameters on one site only",
        arguments: [
            ("feature", "www.youtube.com"), ("si", "youtu.be"), ("si", "open.spotify.com"), ("PF_RD_p", "Amazon.co.uk"),
        ])
    func perSite(name: String, host: String) {
        #expect(isTracking(name, host: host))
        #expect(!isTracking(name, host: "example.com"))
    }

    @Test("a site is its domain and its subdomains, not a name that only ends alike")
    func sites() {
        #expect(isTracking("feature", host: "m.youtube.com"))
        #expect(isTracking("feature", host: "YouTube.com."))
        #expect(!isTracking("feature", host: "com"))
        #expect(!isTracking("feature", host: "youtube.com.example"))
        #expect(!isTracking("feature", host: "notyoutube.com"))
    }

    @Test(
        "tracking parameters are removed, and every other byte stays",
        arguments: [
            ("http://h/p?utm_source=a", "http://h/p"),
            ("http://h/p?utm_source=a&id=1#part", "http://h/p?id=1#part"),
            ("HTTP://H:80/a/../p?b=2&utm_source=a&a=1&&x", "HTTP://H:80/a/../p?b=2&a=1&&x"),
            ("http://h/p?q=a+b%20c&UTM%5FSource=x&fbclid", "http://h/p?q=a+b%20c"),
            ("http://h?gclid=1", "http://h"), ("http://h/?a=1;utm_source=2", "http://h/?a=1;utm_source=2"),
            ("http://h/p?", "http://h/p?"), ("http://h/p?a&a=", "http://h/p?a&a="),
            ("http://h/p#?utm_source=a", "http://h/p#?utm_source=a"),
            ("mailto:a@b?utm_source=c", "mailto:a@b?utm_source=c"), ("http://h/?%=1&utm_id=2", "http://h/?%=1"),
            ("https://www.youtube.com/watch?feature=share&v=abc&si=z", "https://www.youtube.com/watch?v=abc"),
            ("http://user:utm_p@[::1]:8080/?utm_term=ü&ü=1", "http://user:utm_p@[::1]:8080/?ü=1"),
        ])
    func removed(url: String, expected: String) {
        #expect(removingTrackers(url) == expected)
        #expect(removingTrackers(expected) == expected)
    }

    @Test("every row of the list has three columns and a known form, and is unique")
    func wellFormed() {
        let text = String(decoding: PackageResources.TrackingParameters_tsv, as: UTF8.self)
        var seen: Set<String> = []
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            #expect(columns.count == 3, "\(line)")
            guard columns.count == 3 else { continue }
            #expect(columns[1] == columns[1].lowercased() && !columns[1].dropLast().contains("*"), "\(line)")
            #expect(columns[0] == columns[0].lowercased() && !columns.contains { $0.isEmpty }, "\(line)")
            #expect(seen.insert(columns[0] + "\t" + columns[1]).inserted, "\(line)")
        }
        #expect(seen.count > 150)
        #expect(TrackingParameters.standard.version >= 1)
    }
}
