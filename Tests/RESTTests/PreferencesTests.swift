import REST
import Testing

@Suite("REST / preferences")
struct PreferencesTests {
    @Test("several headers form one list, and the first value of each preference counts")
    func lists() {
        let preferences = Preferences([
            "return=minimal, resolution=merge-duplicates", "return=representation,count=exact",
        ])
        #expect(preferences.returns == .minimal)
        #expect(preferences.resolution == .mergeDuplicates)
        #expect(preferences.count == .exact)
    }

    @Test("unknown names and values are collected", arguments: ["x=y", "return=all", "max-affected=-1", "alone"])
    func unknown(text: String) { #expect(Preferences([text]).unknown == [text]) }

    @Test("blanks and empty parts are ignored")
    func blanks() {
        let preferences = Preferences([" missing = default ,, \thandling=strict"])
        #expect(preferences.missing == .default && preferences.handling == .strict && preferences.unknown.isEmpty)
    }
}
