import Testing

@testable import Readability

@Suite("Readability / parts of a title")
struct TitlePartsTests {
    private let sites = SiteNames(["Tidewater"], host: nil)

    @Test(
        "a known site name is separated from either end",
        arguments: [
            "The ice | Tidewater", "The ice - Tidewater", "Tidewater: The ice", "Tidewater » The ice",
            "The ice|Tidewater",
        ])
    func known(title: String) {
        let parts = TitleParts.split(title, sites: sites, headlines: [])
        #expect(parts.headline == "The ice")
        #expect(parts.site == "Tidewater")
    }

    @Test("the rest of a title that contains the headline is the site's name")
    func besideHeadline() {
        let parts = TitleParts.split(
            "The ice | Morning Paper", sites: sites, headlines: [NormalizedText("The ice").text])
        #expect(parts.headline == "The ice")
        #expect(parts.site == "Morning Paper")
    }

    @Test(
        "a title without a known part stays whole",
        arguments: [
            "The ice | Morning Paper", "Ice: a year at the harbour", "Well-known", "9:30",
            "The ice - and what comes after",
        ])
    func unknown(title: String) {
        let parts = TitleParts.split(title, sites: sites, headlines: [])
        #expect(parts.headline == title)
        #expect(parts.site == nil)
    }
}
