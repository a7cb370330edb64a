import Foundation
import Testing
import Text

@Suite("Text / character references")
struct CharacterReferencesTests {
    private func decoded(_ text: String) -> String { CharacterReferences.standard.decoded(text) }

    @Test("all names of the standard are known, and none represents a blank")
    func names() {
        let named = CharacterReferences.standard.named
        #expect(named.count == 2_231 && Set(named.map(\.name)).count == 2_231)
        #expect(named.filter { !$0.name.hasSuffix(";") }.count == 106)
        #expect(named.allSatisfy { decoded("&\($0.name)") == $0.characters && !$0.characters.contains(" ") })
    }

    @Test(
        "the longest name wins, with or without its semicolon",
        arguments: [
            ("&amp;", "&"), ("&amp", "&"), ("&ampfoo", "&foo"), ("&notit;", "¬it;"), ("&notin;", "∉"),
            ("&notin", "¬in"), ("&copy2026", "©2026"),
            ("&AMP;&Amp;", "&&Amp;"), ("&CounterClockwiseContourIntegral;", "∳"),
            ("&CounterClockwiseContourIntegral", "&CounterClockwiseContourIntegral"),
            ("&bne;", "=\u{20E5}"), ("&NewLine;", "\n"), ("&nbsp;", "\u{A0}"), ("&apos;&apos", "'&apos"),
        ])
    func longest(text: String, expected: String) { #expect(decoded(text) == expected) }

    @Test(
        "numbers become characters, and disallowed numbers become U+FFFD",
        arguments: [
            ("&#38;", "&"), ("&#38", "&"), ("&#x26;", "&"), ("&#X26z", "&z"), ("&#039;", "'"), ("&#8212;", "—"),
            ("&#x1F375;", "🍵"),
            ("&#128;&#x92;&#150;", "€’–"), ("&#129;", "\u{81}"), ("&#0;&#xD800;&#57343;", "\u{FFFD}\u{FFFD}\u{FFFD}"),
            ("&#x110000;&#99999999999999999999;", "\u{FFFD}\u{FFFD}"), ("&#xFFFE;&#1;", "\u{FFFE}\u{1}"),
            ("&#00000000000000000000038;", "&"),
        ])
    func numbers(text: String, expected: String) {
        #expect(Array(decoded(text).unicodeScalars) == Array(expected.unicodeScalars))
    }

    @Test(
        "text that only looks like a reference stays",
        arguments: [
            "R&D", "a & b", "&", "&&", "&;", "&#;", "&#x;", "&#xg", "&#a", "&unknown;", "&ümlaut;", "", "no sign",
        ])
    func kept(text: String) { #expect(decoded(text) == text) }

    @Test("references are decoded once")
    func once() {
        #expect(decoded("&amp;amp;") == "&amp;")
        #expect(decoded("&amp;#38;&#38;amp;") == "&#38;&amp;")
        #expect(decoded("&am&amp;p;") == "&am&p;")
    }

    @Test(
        "input crafted to be slow is decoded quickly",
        arguments: ["&", "&a", "&#", "&#0", "&CounterClockwiseContourIntegra", "&amp;", "a"])
    func linear(piece: String) {
        let text = String(repeating: piece, count: 500_000 / piece.utf8.count)
        let took = ContinuousClock().measure { #expect(!decoded(text).isEmpty) }
        // Quadratic time would be minutes.
        #expect(took < .seconds(10))
    }
}

/// The tests of the standard's reference parser, if they exist next to the checkout.
enum TokenizerTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var input: String
        var output: String
        var testDescription: String
    }

    /// Returns the tests in a file that concern text only.
    static func cases(_ file: String) throws -> [Case] {
        let folder = URL(filePath: #filePath).appending(path: "../../../../shared/html5lib-tests/tokenizer")
            .standardized
        let path = folder.appending(path: file)
        guard FileManager.default.fileExists(atPath: path.path) else { return [] }
        let known = try JSONSerialization.jsonObject(with: Data(contentsOf: path)) as? [String: [[String: Any]]]
        return (known?["tests"] ?? []).compactMap { test in
            guard let input = test["input"] as? String, !input.contains("<"), test["initialStates"] == nil,
                let tokens = test["output"] as? [[String]], tokens.allSatisfy({ $0.first == "Character" })
            else { return nil }
            return Case(
                input: input, output: tokens.map { $0[1] }.joined(),
                testDescription: test["description"] as? String ?? input)
        }
    }

    static let all: [Case] = {
        let cases = ["namedEntities.test", "numericEntities.test", "entities.test"].flatMap {
            (try? TokenizerTests.cases($0)) ?? []
        }
        if cases.isEmpty { print("Text / html5lib's tests: skipped, there is no folder ../shared/html5lib-tests") }
        return cases
    }()
}

@Suite("Text / html5lib tests", .enabled(if: !TokenizerTests.all.isEmpty, "the tests are not beside the checkout"))
struct HTML5LibTests {
    @Test("every reference in text is decoded as the standard's tests expect")
    func text() {
        #expect(TokenizerTests.all.count > 4_600)
        for test in TokenizerTests.all {
            let decoded = CharacterReferences.standard.decoded(test.input)
            #expect(
                Array(decoded.unicodeScalars) == Array(test.output.unicodeScalars),
                "\(test.testDescription): \(test.input)")
        }
    }
}
