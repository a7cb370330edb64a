import Testing

@testable import Readability

@Suite("Readability / enclosure")
struct EnclosureTests {
    @Test(
        "durations are parsed as seconds",
        arguments: [
            ("PT1M30S", 90), ("P0DT1H", 3_600), ("1:02:03", 3_723), ("02:03", 123), ("90", 90), ("PT90.4S", 90),
            ("", nil), ("PT", nil), ("P1Y", nil), ("-5", nil), ("1e99", nil), ("nan", nil),
            ("PT99999999999999999999H", nil),
        ] as [(String, Int?)])
    func durations(written: String, seconds: Int?) { #expect(Enclosure.seconds(written) == seconds) }

    @Test("a file is playable by its media type or by its file name extension")
    func playable() {
        #expect(
            Enclosure(url: "https://a.example/x", type: "Audio/MPEG; q=1", isMedium: false, duration: nil)?.type
                == "audio/mpeg")
        #expect(
            Enclosure(url: "https://a.example/x.MP3?y", type: "text/plain", isMedium: false, duration: nil)?.type
                == "audio/mpeg")
        #expect(
            Enclosure(url: "https://a.example/x.pdf", type: "application/pdf", isMedium: false, duration: nil) == nil)
        #expect(Enclosure(url: nil, type: "audio/mpeg", isMedium: false, duration: nil) == nil)
    }

    @Test("a missing media type is accepted only from a source that names media files")
    func untyped() {
        #expect(Enclosure(url: "https://a.example/x", type: nil, isMedium: true, duration: 9)?.duration == 9)
        #expect(Enclosure(url: "https://a.example/x", type: nil, isMedium: false, duration: 9) == nil)
    }
}
