import Testing

@testable import Charsets

@Suite("Charsets / decoding")
struct CharsetsTests {
    private func decode(_ bytes: [UInt8], _ label: String? = nil) -> Charsets.Decoded {
        Charsets.decode(bytes, headerLabel: label)
    }

    @Test(
        "a byte order mark has precedence over every label and is not part of the text",
        arguments: [
            ([0xEF, 0xBB, 0xBF, 0xC3, 0xA9], "utf-8"), ([0xFE, 0xFF, 0x00, 0xE9], "utf-16be"),
            ([0xFF, 0xFE, 0xE9, 0x00], "utf-16le"),
        ] as [([UInt8], String)])
    func marks(bytes: [UInt8], charset: String) {
        for label in [nil, "utf-8", "windows-1251", "utf-16"] {
            #expect(decode(bytes, label) == Charsets.Decoded(text: "é", charset: charset))
        }
    }

    @Test("the header has precedence over the page, and the page over detection")
    func order() {
        let page = Array("<meta charset=windows-1251>".utf8) + [0xE4, 0xE0]
        #expect(decode(page, "iso-8859-1").text.hasSuffix("äà"))
        #expect(decode(page).text.hasSuffix("да"))
        #expect(decode(page, "no-such-charset").charset == "windows-1251")
    }

    @Test(
        "a character of every encoding is decoded by the standard's table",
        arguments: [
            ("ibm866", [0x80], "А"), ("latin2", [0xB1], "ą"), ("iso-8859-3", [0xA1], "Ħ"), ("iso-8859-4", [0xA2], "ĸ"),
            ("iso-8859-5", [0xB0], "А"), ("arabic", [0xC7], "ا"), ("greek", [0xC1], "Α"), ("visual", [0xE0], "א"),
            ("logical", [0xE0], "א"), ("latin6", [0xA1], "Ą"), ("iso-8859-13", [0xC0], "Ą"),
            ("iso-8859-14", [0xA1], "Ḃ"),
            ("iso-8859-15", [0xA4], "€"), ("iso-8859-16", [0xAA], "Ș"), ("koi8-r", [0xC1], "а"),
            ("koi8-u", [0xA4], "є"),
            ("macintosh", [0x8E], "é"), ("tis-620", [0xA1], "ก"), ("windows-1250", [0x9A], "š"),
            ("cp1251", [0x80], "Ђ"),
            ("ascii", [0x93], "“"), ("iso-8859-1", [0x80], "€"), ("windows-1252", [0x81], "\u{81}"),
            ("cp1253", [0xE1], "α"),
            ("iso-8859-9", [0xFE], "ş"), ("windows-1255", [0xE0], "א"),
            ("windows-1255", [0xC7, 0xCA], "\u{05B7}\u{05BA}"), ("windows-1253", [0xAA, 0xE1], "\u{FFFD}α"),
            ("koi8-u", [0xAE, 0xBE], "ўЎ"), ("windows-874", [0xA1, 0xFC], "ก\u{FFFD}"), ("windows-1256", [0xC7], "ا"),
            ("windows-1257", [0xE0], "ą"),
            ("windows-1258", [0xFE], "₫"), ("x-mac-cyrillic", [0x80], "А"), ("gb2312", [0xC4, 0xE3], "你"),
            ("gbk", [0x80], "€"),
            ("gb18030", [0x81, 0x30, 0x89, 0x38], "ß"), ("big5", [0xA7, 0x41], "你"), ("big5-hkscs", [0x87, 0x40], "䏰"),
            ("euc-jp", [0xA4, 0xA2], "あ"), ("iso-2022-jp", [0x1B, 0x24, 0x42, 0x24, 0x22, 0x1B, 0x28, 0x42], "あ"),
            ("x-sjis", [0x82, 0xA0], "あ"), ("shift_jis", [0x81, 0x60], "～"), ("shift_jis", [0x5C], "\\"),
            ("ks_c_5601-1987", [0xB0, 0xA1], "가"), ("euc-kr", [0x81, 0x41], "갂"), ("utf-16", [0x42, 0x30], "あ"),
            ("utf-16be", [0x30, 0x42], "あ"), ("x-user-defined", [0x80], "\u{F780}"), ("hz-gb-2312", [0x41], "\u{FFFD}"),
            ("  UTF8 ", [0xC3, 0xA9], "é"),
        ] as [(String, [UInt8], String)])
    func tables(label: String, bytes: [UInt8], letter: String) {
        #expect(decode(bytes, label).text.unicodeScalars.elementsEqual(letter.unicodeScalars))
    }

    @Test("every encoding has a converter that preserves ASCII")
    func converters() {
        for name in Set(EncodingLabels.names.values) where !["replacement", "utf-16le", "utf-16be"].contains(name) {
            let decoded = decode(Array("<p>plain\\~</p>".utf8), name)
            #expect(decoded.text == "<p>plain\\~</p>", "\(name)")
            #expect(decoded.charset == name)
        }
        #expect(EncodingLabels.names.count > 210)
    }

    @Test(
        "invalid bytes become U+FFFD, and the others stay",
        arguments: [
            ("utf-8", [0x61, 0xFF, 0x62], "a\u{FFFD}b"), ("utf-8", [0x61, 0xE2, 0x82], "a\u{FFFD}"),
            ("utf-8", [0xED, 0xA0, 0x80], "\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("utf-16le", [0x00, 0xD8, 0x61, 0x00], "\u{FFFD}a"),
            ("utf-16be", [0x00, 0x61, 0x00], "a\u{FFFD}"), ("shift_jis", [0x61, 0x81], "a\u{FFFD}"),
            ("shift_jis", [0xA0, 0x61], "\u{FFFD}a"),
            ("windows-1253", [0xD2], "\u{FFFD}"), ("gbk", [0x61, 0xFF, 0x62], "a\u{FFFD}b"),
            ("utf-8", [0x61, 0x00, 0x62], "a\0b"),
        ] as [(String, [UInt8], String)])
    func invalid(label: String, bytes: [UInt8], expected: String) {
        #expect(decode(bytes, label).text == expected)
    }

    @Test("without a declaration UTF-8 is recognised, and ASCII counts as UTF-8")
    func undeclaredUTF8() {
        #expect(decode(Array("Grüße, 世界".utf8)) == Charsets.Decoded(text: "Grüße, 世界", charset: "utf-8"))
        #expect(decode(Array("plain".utf8)).charset == "utf-8")
        #expect(decode([]) == Charsets.Decoded(text: "", charset: "utf-8"))
    }

    /// Sentences in encodings that pages still use without a declaration.
    @Test(
        "without a declaration common encodings are recognised",
        arguments: [
            (
                "windows-1251",
                "cfe5f0e5e2eee420f1f2e0f2fce820e820f0e0f1f1eae0e7eee220ede020f0f3f1f1eae8e920ffe7fbea2e20ddf2ee20eef7e5edfc20e8edf2e5f0e5f1ede0ff20e8f1f2eef0e8ff2e"
            ),
            (
                "koi8-r",
                "f0c5d2c5d7cfc420d3d4c1d4d8c920c920d2c1d3d3cbc1dacfd720cec120d2d5d3d3cbc9ca20d1dad9cb2e20fcd4cf20cfdec5ced820c9ced4c5d2c5d3cec1d120c9d3d4cfd2c9d12e"
            ),
            (
                "windows-1252",
                "c7a0207661203f204c27e974e920e9746169742074726f7020636f7572742c206d616973206c61206d6572206574206c6120666f72ea7420e974616965"
                    + "6e7420637267ea6d65732e204ce0206f6e20e9746169742062656e6576fc732e"
            ),
        ])
    func detected(charset: String, hex: String) {
        #expect(decode(bytes(hex)).charset == charset)
    }

    @Test(
        "text in East Asian encodings is recognised", arguments: ["shift_jis", "euc-jp", "gb18030", "big5", "euc-kr"])
    func eastAsian(charset: String) throws {
        let sentence = try #require(EastAsianSamples.all[charset])
        #expect(decode(bytes(sentence.hex)).text == sentence.text)
    }

    @Test("UTF-16 without a byte order mark is recognised by its first tag", arguments: [true, false])
    func markless(littleEndian: Bool) {
        let bytes = "<p>é".utf16.flatMap {
            littleEndian ? [UInt8($0 & 255), UInt8($0 >> 8)] : [UInt8($0 >> 8), UInt8($0 & 255)]
        }
        #expect(decode(bytes).text == "<p>é")
    }

    @Test(
        "UTF-8 with another declaration is decoded as UTF-8",
        arguments: ["iso-8859-1", "windows-1252", "us-ascii", "utf-16"])
    func wrongLabel(label: String) {
        let page = "<html><p>Grüße aus Köln</p></html>"
        #expect(decode(Array(page.utf8), label) == Charsets.Decoded(text: page, charset: "utf-8"))
        #expect(decode(Array("<meta charset=\(label)>\(page)".utf8)).text.hasSuffix(page))
    }

    @Test("if the header is evidently wrong, the page's declaration counts")
    func doubleDeclaration() {
        let page = Array("<meta charset=windows-1251>".utf8) + bytes("cfe5f0e5e2eee420f1f2e0f2fce8")
        #expect(decode(page, "utf-8").text.hasSuffix("Перевод статьи"))
    }

    @Test("UTF-8 with a few invalid bytes is decoded as UTF-8")
    func mostlyUTF8() {
        let page = Array("<meta charset=windows-1251>Überall schöne Grüße ".utf8) + [0xFF]
        #expect(decode(page, "utf-8").text.hasSuffix("schöne Grüße \u{FFFD}"))
    }

    @Test("random bytes are decoded in every encoding, to at most three times their length")
    func noise() {
        let noise = [UInt8]((0..<100_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) })
        for label in ["utf-8", "shift_jis", "gb18030", "windows-1252", "utf-16le", "iso-2022-jp", nil] {
            #expect(decode(noise, label).text.utf8.count <= 300_000)
        }
    }

    private func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.count, by: 2).map { UInt8(hex.dropFirst($0).prefix(2), radix: 16) ?? 0 }
    }
}
