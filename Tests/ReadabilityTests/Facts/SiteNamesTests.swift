import Testing

@testable import Readability

@Suite("Readability / names of the site")
struct SiteNamesTests {
    private let sites = SiteNames(["Tidewater News", nil], host: "www.harbour.example")

    @Test(
        "a name counts with or without an article, in part, and as the host",
        arguments: [
            "Tidewater News", "tidewater news", "The Tidewater", "Tidewater", "harbour.example", "www.harbour.example",
            "Harbour",
        ])
    func contained(text: String) { #expect(sites.contains(text)) }

    @Test(
        "other texts are not names",
        arguments: ["", "Ice", "Ice at the harbour", "The harbour freezes over for the first time", "News of the day"])
    func other(text: String) { #expect(!sites.contains(text)) }

    @Test("only a full name is exact")
    func exact() {
        #expect(sites.isExactly("TIDEWATER NEWS"))
        #expect(!sites.isExactly("The Tidewater"))
    }
}
