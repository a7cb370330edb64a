import Testing

@testable import Readability

@Suite("Readability / icon")
struct PageIconTests {
    @Test("the largest useful icon is chosen")
    func icon() throws {
        let icons =
            "<link rel='shortcut icon' href=/16.ico sizes=16x16><link rel=icon href=/96.png sizes='48x48 96x96'><link rel=mask-icon href=/m.svg>"
        #expect(try readFacts(icons).icon == "https://www.tidewater.example/96.png")
        #expect(
            try readFacts(icons + "<link rel=apple-touch-icon href=/t.png>").icon
                == "https://www.tidewater.example/t.png")
        #expect(try readFacts("<link rel=icon href=/i.svg>").icon == "https://www.tidewater.example/i.svg")
        #expect(try readFacts("<link rel=icon href='data:,' sizes=99999999999999999999x1>").icon == nil)
    }
}
