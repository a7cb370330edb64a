import Testing

@testable import HTTPFetch

@Suite("HTTPFetch / curl URL")
struct CurlURLTests {
    @Test(
        "host and port are those that libcurl connects to",
        arguments: [
            ("http://a.test/x#y", "a.test", 80), ("https://A.test:8443/", "A.test", 8_443),
            ("http://0x7f.1/", "127.0.0.1", 80),
            ("http://[::1]:81/", "::1", 81), ("http://localhost./", "localhost", 80),
        ] as [(String, String, UInt16)])
    func target(url: String, host: String, port: UInt16) throws {
        let curlURL = try CurlURL(url)
        #expect(curlURL.host.lowercased() == host.lowercased() && curlURL.port == port && !curlURL.text.contains("#"))
    }

    @Test("an international host has an ASCII form")
    func international() throws { #expect(try CurlURL("http://bücher.test/").asciiHost == "xn--bcher-kva.test") }

    @Test(
        "reserved names never resolve",
        arguments: [("http://x.invalid/", true), ("http://x.onion./", true), ("http://x.test/", false)])
    func reserved(url: String, neverResolves: Bool) throws { #expect(try CurlURL(url).neverResolves == neverResolves) }

    @Test(
        "localhost is recognised in every spelling",
        arguments: ["http://localhost/", "http://x.LOCALHOST./", "http://ｌｏｃａｌｈｏｓｔ/"])
    func localhost(url: String) throws { #expect(try CurlURL(url).isLocalhost) }
}
