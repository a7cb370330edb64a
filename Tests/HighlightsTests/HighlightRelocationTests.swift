import Highlights
import Testing

@Suite("Highlights / relocation")
struct HighlightRelocationTests {
    private static let text = """
        The lectern stood by the window. A reader came to the lectern in the morning, and read.
        What was written there was long, and it was read to its end. The reader went home — slowly.
        """

    private func mark(
        _ quote: String, in text: String = text, occurrence: Int = 1, context: Int = 32
    ) throws -> Highlight {
        let units = Array(text.utf16)
        let wanted = Array(quote.utf16)
        let starts = units.indices.filter { units[$0...].starts(with: wanted) }
        let start = try #require(starts.dropFirst(occurrence - 1).first)
        let end = start + wanted.count
        return Highlight(
            id: quote, quote: quote, prefix: String(decoding: units[..<start].suffix(context), as: UTF16.self),
            suffix: String(decoding: units[end...].prefix(context), as: UTF16.self), range: start..<end)
    }

    private func found(_ highlight: Highlight, in text: String, former: String? = nil) -> String? {
        HighlightRelocation(text: text, former: former).places(of: [highlight])[0].map {
            String(decoding: Array(text.utf16)[$0], as: UTF16.self)
        }
    }

    private func start(_ highlight: Highlight, in text: String, former: String? = nil) -> Int? {
        HighlightRelocation(text: text, former: former).places(of: [highlight])[0]?.lowerBound
    }

    @Test("a passage in an unchanged text keeps its position")
    func unmoved() throws {
        for occurrence in 1...2 {
            let highlight = try mark("the lectern".lowercased(), in: Self.text.lowercased(), occurrence: occurrence)
            #expect(HighlightRelocation(text: Self.text.lowercased()).places(of: [highlight]) == [highlight.range])
        }
    }

    @Test("text added or removed before a passage moves it", arguments: ["New words in front. 🙂 ", "", "\n\n"])
    func moved(front: String) throws {
        let text = front + Self.text.dropFirst(4)
        let highlight = try mark("it was read to its end")
        #expect(start(highlight, in: text) == (highlight.range?.lowerBound ?? 0) + front.utf16.count - 4)
    }

    @Test("among equal passages, the context identifies the marked one")
    func surroundings() throws {
        let text = "red one, blue one, green one, red one, blue one"
        let highlight = try mark("one", in: text, occurrence: 3)
        #expect(start(highlight, in: "blue one, red one, blue one, green one") == 35)
        // Another equal passage is now at the former position.
        let second = try mark("one", in: text, occurrence: 2)
        #expect(start(second, in: "redd one, none, green one, blue one, red one") == 32)
    }

    @Test("without context the nearest match wins; the former text provides context if there is one")
    func bare() throws {
        let text = "A sentence of words. Then other things, many of them, and more. A sentence of words. An end."
        let highlight = try mark("A sentence of words.", in: text, occurrence: 2, context: 0)
        #expect(start(highlight, in: "x" + text) == 65)
        let other = "A sentence of words. An end. So it went on for quite a while, A sentence of words. Then."
        #expect(start(highlight, in: other) == 62)
        #expect(start(highlight, in: other, former: text) == 0)
    }

    @Test("a common short passage is not found without context")
    func short() throws {
        let highlight = try mark("the", occurrence: 1)
        #expect(found(highlight, in: "Of all the other things the most are unlike the first.") == nil)
        #expect(found(highlight, in: "Something else, where but once the word is written.") == "the")
    }

    @Test(
        "white space, case and typographic characters are ignored",
        arguments: [
            (
                "The reader went home — slowly.", "so. the Reader\n went home \u{2013} slowly. And",
                "the Reader\n went home \u{2013} slowly."
            ),
            (
                "\u{201C}Well\u{201D}, it\u{2019}s said\u{2026} often", "he: \"Well\", it's said... often, yes",
                "\"Well\", it's said... often"
            ),
            ("the first.The second", "Of the first.\n\nThe second, here", "the first.\n\nThe second"),
            ("Überall hört man es", "xx ÜBERALL hört\u{AD}man es xx", "ÜBERALL hört\u{AD}man es"),
            ("海はなぜ塩辛いのか", "昔々、海 は\nなぜ塩辛い のか、と", "海 は\nなぜ塩辛い のか"),
        ])
    func folded(quote: String, text: String, expected: String) {
        #expect(found(Highlight(id: "1", quote: quote), in: text) == expected)
    }

    @Test("a passage with one changed word is found, one with half of it changed is not")
    func near() throws {
        let quote = "What was written there was long, and it was read to its end."
        let highlight = try mark(quote)
        for (changed, isThere) in [
            ("What was written here was long, and it was read to its end.", true),
            ("What was written there was very long, and it was read to its end.", true),
            ("What is written there was long, and it was read to the end.", true),
            ("What was written there was short, and nobody ever came to hear of it.", false),
        ] {
            let text = "In front of it. " + Self.text.replacing(quote, with: changed)
            #expect(found(highlight, in: text) == (isThere ? changed : nil))
        }
    }

    @Test("a removed passage is not found, but found again in a later text that contains it")
    func lost() throws {
        let highlight = try mark("A reader came to the lectern in the morning")
        #expect(found(highlight, in: "An other text, of other things.") == nil)
        #expect(found(highlight, in: "") == nil)
        #expect(found(highlight, in: "Again: " + Self.text) == highlight.quote)
    }

    @Test(
        "invalid highlights from clients are not found and break nothing",
        arguments: [
            Highlight(id: "1", quote: ""), Highlight(id: "1", quote: "", range: 0..<0),
            Highlight(id: "1", quote: "x", range: 2_000_000_000..<2_000_000_001),
            Highlight(id: "1", quote: "  \u{200B} ", range: 5..<8),
            Highlight(
                id: "1", quote: "lectern lectern", prefix: String(repeating: "a", count: 1_000), suffix: "\u{0}",
                range: 3..<1_000_000),
            Highlight(id: "1", quote: "…", prefix: "…", suffix: "…", range: 0..<1),
        ])
    func nonsense(highlight: Highlight) {
        #expect(HighlightRelocation(text: Self.text, former: "short").places(of: [highlight]) == [nil])
    }

    @Test("hundreds of passages are found in a long text after an insertion")
    func many() throws {
        var state: UInt64 = 7
        func next(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        var units: [UInt16] = []
        while units.count < 300_000 { units += Array("w\(next(9_000)) ".utf16) }
        let text = String(decoding: units, as: UTF16.self)
        let highlights = (0..<500).map { number in
            let start = next(units.count - 300)
            let end = start + 20 + next(250)
            return Highlight(
                id: "\(number)", quote: String(decoding: units[start..<end], as: UTF16.self),
                prefix: String(decoding: units[..<start].suffix(32), as: UTF16.self), range: start..<end)
        }
        let places = HighlightRelocation(text: "In front. " + text).places(of: highlights)
        #expect(zip(places, highlights).allSatisfy { $0?.lowerBound == ($1.range?.lowerBound ?? 0) + 10 })
    }

    @Test(
        "texts and passages made to be slow finish in time",
        arguments: [
            "a", "ab", "lectern ",
        ])
    func hostile(unit: String) {
        let text = String(repeating: unit, count: 150_000 / unit.count)
        let highlights = (0..<200).map { number in
            Highlight(
                id: "\(number)", quote: String(repeating: unit, count: 2_000 / unit.count) + "\(number)",
                range: number..<number + 1)
        }
        let same = Highlight(id: "same", quote: String(repeating: unit, count: 20), range: 4..<5)
        let places = HighlightRelocation(text: text).places(of: highlights + [same])
        #expect(places.count == 201)
    }

    @Test("passages are searched as long as they have at most two million units together")
    func searchable() {
        let long = Highlight(id: "long", quote: String(repeating: "x", count: HighlightRelocation.maxUnits - 1))
        let short = Highlight(id: "short", quote: "y")
        #expect(HighlightRelocation.searchable([long, short, short]).map(\.id) == ["long", "short"])
        #expect(HighlightRelocation.searchable([]).isEmpty)
    }
}
