import Testing

@testable import Dates

@Suite("Dates / time zones")
struct ZonesTests {
    @Test(
        "abbreviations with daylight saving follow the date",
        arguments: [
            ("z", 1, 0), ("cest", 1, 120), ("est", 7, -300), ("et", 1, -300), ("et", 7, -240), ("pt", 7, -420),
            ("ist", 1, nil), ("at", 1, nil),
        ] as [(String, Int, Int?)])
    func abbreviations(name: String, month: Int, expected: Int?) throws {
        #expect(Zones.offset(name, at: try #require(ParsedDate(year: 2_024, month: month, day: 6))) == expected)
    }

    @Test(
        "names of the IANA database are known",
        arguments: [("Europe/Berlin", 1, 60), ("Europe/Berlin", 7, 120), ("Asia/Kolkata", 1, 330)])
    func database(name: String, month: Int, expected: Int) throws {
        #expect(Zones.offset(ofZone: name, at: try #require(ParsedDate(year: 2_024, month: month, day: 6))) == expected)
    }
}
