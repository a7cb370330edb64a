import JSON
import Search
import Testing

@Suite("Search / query language")
struct SearchQueryTests {
    private func word(_ text: String) -> SearchCondition { .word(text, isPrefix: false, in: nil) }

    private func condition(_ text: String) throws -> SearchCondition? { try SearchQuery(parsing: text).condition }

    @Test("an empty query asks for nothing", arguments: ["", "  ", "\u{3000}", "()", "(( ))", "\"\"", "-\"\"", ")"])
    func empty(text: String) throws { #expect(try SearchQuery(parsing: text) == SearchQuery(nil)) }

    @Test("words side by side must all match, and or binds weakest")
    func precedence() throws {
        #expect(
            try condition("a b OR c -d")
                == .any([.all([word("a"), word("b")]), .all([word("c"), .not(word("d"))])]))
        #expect(try condition("a (b or c)") == .all([word("a"), .any([word("b"), word("c")])]))
        #expect(try condition("-(a b)") == .not(.all([word("a"), word("b")])))
        #expect(try condition("a and b") == .all([word("a"), word("and"), word("b")]))
    }

    @Test("or without a term on each side is a word", arguments: ["or", "OR", "(or)"])
    func loneOperator(text: String) throws { #expect(try condition(text) == word(text == "OR" ? "OR" : "or")) }

    @Test("the second of two or is a word")
    func doubledOperator() throws {
        #expect(try condition("a or or b") == .any([word("a"), .all([word("or"), word("b")])]))
        #expect(try condition("a or") == .all([word("a"), word("or")]))
        #expect(try condition("(a or) b") == .all([word("a"), word("or"), word("b")]))
    }

    @Test("quotes and parentheses left open are closed at the end")
    func leftOpen() throws {
        #expect(try condition("\"a b") == .phrase("a b", in: nil))
        #expect(try condition("(a or (b c") == .any([word("a"), .all([word("b"), word("c")])]))
        #expect(try condition("“a b” c") == .all([.phrase("a b", in: nil), word("c")]))
    }

    @Test("parentheses inside a word belong to it")
    func addressWithParentheses() throws {
        let address = "https://example.org/Foo_(bar)"
        #expect(try condition("(\(address) or b)") == .any([word(address), word("b")]))
        #expect(try condition("f(x") == word("f(x"))
    }

    @Test("a star at the end asks for beginnings of words")
    func prefixes() throws {
        #expect(try condition("wor*") == .word("wor", isPrefix: true, in: nil))
        #expect(try condition("title:wor*") == .word("wor", isPrefix: true, in: .title))
        #expect(try condition("w*d") == word("w*d"))
        #expect(try condition("**") == word("**"))
    }

    @Test(
        "keys take their values, in any case, quoted or not",
        arguments: [
            ("is:unread", SearchCondition.state(.unread)), ("IS:Archived", .state(.archived)),
            ("tag:two", .tag("two")), ("tag:\"two words\"", .tag("two words")), ("#two", .tag("two")),
            ("#\"two words\"", .tag("two words")), ("in:Later", .collection("Later")),
            ("site:WWW.Example.org", .site("example.org")), ("site:https://example.org:8080/x", .site("example.org")),
            ("site:www.de", .site("www.de")), ("site:*.münchen.de.", .site("münchen.de")),
            ("title:x", .word("x", isPrefix: false, in: .title)),
            ("note:\"x y\"", .phrase("x y", in: .note)), ("url:/a?b", .address("/a?b")),
            ("age:<7d", .age(.less, SearchAge(7, .days))), ("age:>1y", .age(.greater, SearchAge(1, .years))),
            ("kind:PDF", .kind(.pdf)), ("lang:de-AT", .language("de-at")), ("minutes:<5", .minutes(.less, 5)),
            ("minutes:>=20", .minutes(.greaterOrEqual, 20)), ("minutes:5", .minutes(.equal, 5)),
            ("-is:read", .not(.state(.read))), ("-#two", .not(.tag("two"))),
        ])
    func keys(text: String, expected: SearchCondition) throws { #expect(try condition(text) == expected) }

    @Test("a date may name a day, a month or a year")
    func dates() throws {
        let first = try #require(SearchDay(year: 2026, month: 1, day: 1))
        #expect(try condition("before:2026-01-01") == .before(first))
        #expect(try condition("after:2026-01") == .after(first))
        #expect(try condition("after:2026") == .after(first))
        #expect(SearchDay("2024-02-29") != nil)
        #expect(SearchDay("2026-02-29") == nil)
    }

    @Test("the last order counts, wherever it stands")
    func orders() throws {
        #expect(try SearchQuery(parsing: "sort:oldest a sort:Title") == SearchQuery(word("a"), order: .title))
        #expect(try SearchQuery(parsing: "(a sort:random)").order == .random)
    }

    @Test(
        "unknown keys and signs are text",
        arguments: ["foo:bar", "https://example.org/", "16:9", "a@b.org", "-", "#", "--x", "is", ":x", "'; drop table"])
    func text(text: String) throws {
        let parts = text.split(separator: " ").map { part in
            part.hasPrefix("--") ? SearchCondition.not(word(String(part.dropFirst()))) : word(String(part))
        }
        #expect(try condition(text) == (parts.count == 1 ? parts[0] : .all(parts)))
    }

    @Test(
        "a known key with a value it cannot take is refused with the place",
        arguments: [
            ("is:nothing", 1), ("a is:", 3), ("x  before:2026-13", 4), ("after:tomorrow", 1), ("age:7d", 1),
            ("age:<x", 1), ("(kind:book)", 2), ("minutes:<many", 1), ("minutes:<99999", 1), ("sort:size", 1),
            ("lang:x", 1), ("lang:ä", 1), ("site:", 1), ("site:..", 1), ("title:\"\"", 1), ("-sort:newest", 2),
            ("tag: x", 1),
        ])
    func badValues(text: String, place: Int) throws {
        let error = #expect(throws: SearchQueryError.self) { try SearchQuery(parsing: text) }
        #expect(error?.place == place)
    }

    @Test("a query has at most 1,000 characters and 60 terms")
    func bounds() throws {
        let longest = String(repeating: "é", count: 1_000)
        #expect(try condition(longest) == word(longest))
        #expect(throws: SearchQueryError(.tooLong(limit: 1_000), at: 1_001)) { try SearchQuery(parsing: longest + "x") }
        let most = Array(repeating: "a", count: 60).joined(separator: " ")
        #expect(try SearchQuery(parsing: most).condition != nil)
        #expect(throws: SearchQueryError(.tooManyTerms(limit: 60), at: 121)) {
            try SearchQuery(parsing: most + " b")
        }
        #expect(throws: SearchQueryError(.nulCharacter, at: 2)) { try SearchQuery(parsing: "a\0b") }
    }

    @Test("a thousand parentheses are one group, and two negations cancel each other")
    func deepGroups() throws {
        #expect(try condition(String(repeating: "(", count: 999) + "a") == word("a"))
        #expect(try condition(String(repeating: "-(", count: 499) + "a") == .not(word("a")))
    }

    @Test("the tree becomes JSON")
    func json() throws {
        let text = String(
            decoding: try SearchQuery(parsing: "tea -\"old pot\" age:<2w title:gr* sort:oldest").json.bytes,
            as: UTF8.self)
        #expect(
            text == #"{"where":{"and":[{"word":"tea"},{"not":{"phrase":"old pot"}},{"age":"2 weeks","is":"<"},"#
                + #"{"word":"gr","prefix":true,"field":"title"}]},"sort":"oldest"}"#)
    }

    // MARK: - Properties

    @Test("parsing the printed tree gives the same tree, and any text can be parsed", arguments: 0..<40)
    func roundTrips(seed: UInt64) throws {
        var random = Numbers(state: seed)
        for _ in 0..<100 {
            let text = Self.randomText(&random)
            do throws(SearchQueryError) {
                let query = try SearchQuery(parsing: text)
                let printed = query.text
                #expect(try SearchQuery(parsing: printed) == query, "\(text) was printed as \(printed)")
            } catch {
                #expect((1...max(1, text.unicodeScalars.count)).contains(error.place))
            }
        }
    }

    private static let pieces = [
        "a", "b", " ", " ", " ", "or", " or ", "(", ")", "-", "\"", "*", "#", "tag:", "title:", "note:x", "is:read",
        "url:", ":", "é", "漢字", "’", "“", "sort:title", "in:x", "site:", "www.", "after:2026-02", "age:<3m", "\\", "%",
        "minutes:>3", "or*", "\u{301}", "\u{200D}", "👍", "\t", "lang:de", "title:or",
    ]

    private static func randomText(_ random: inout Numbers) -> String {
        var text = ""
        for _ in 0..<Int.random(in: 0...14, using: &random) {
            text += pieces.randomElement(using: &random) ?? ""
        }
        return text
    }

    /// Marsaglia's xorshift, so that a failure can be repeated.
    private struct Numbers: RandomNumberGenerator {
        var state: UInt64

        init(state: UInt64) { self.state = (state &+ 1) &* 0x9E37_79B9_7F4A_7C15 }

        mutating func next() -> UInt64 {
            state ^= state << 13
            state ^= state >> 7
            state ^= state << 17
            return state
        }
    }
}
