import Charsets
import Testing

@Suite("Charsets / international hosts")
struct InternationalHostTests {
    @Test(
        "equivalent spellings have one form",
        arguments: [
            ("BÜCHER.de", "bücher.de"), ("bu\u{308}cher.de", "bücher.de"), ("ｅｘａｍｐｌｅ.com", "example.com"),
            ("例え。テスト", "例え.テスト"),
            ("ﬁsh.com", "fish.com"), ("ΣΑΣ.gr", "σασ.gr"), ("goo\u{AD}gle.com", "google.com"),
            ("e\u{200B}x\u{FEFF}.com", "ex.com"),
        ])
    func mapped(host: String, expected: String) {
        #expect(InternationalHost.mapped(host).unicodeScalars.elementsEqual(expected.unicodeScalars))
        #expect(InternationalHost.mapped(expected) == expected)
    }

    @Test(
        "characters that only look alike stay different",
        arguments: [
            ("аpple.com", "apple.com"), ("straße.de", "strasse.de"), ("İx.com", "ix.com"), ("ıx.com", "ix.com"),
            ("σας.gr", "σασ.gr"),
        ])
    func different(host: String, other: String) {
        #expect(InternationalHost.mapped(host) != InternationalHost.mapped(other))
    }
}
