import Testing

@testable import Saving

@Suite("Saving / replacement")
struct ReplacementTests {
    private func facts(_ letters: Int, _ source: PageReceiver = .server, isWhole: Bool = true) -> ArticleQuality {
        ArticleQuality(source: source, letters: letters, isWhole: isWhole)
    }

    private func decide(_ new: ArticleQuality, _ old: ArticleQuality, older: Bool = false) -> Replacement {
        Replacement.decide(new, insteadOf: .init(quality: old, isOfOlderExtractor: older))
    }

    @Test("the first article is stored, whatever it is")
    func first() {
        #expect(Replacement.decide(facts(1, isWhole: false), insteadOf: nil) == .store)
    }

    @Test("a changed page replaces the article, longer or somewhat shorter", arguments: [5_000, 3_000, 2_600])
    func changed(letters: Int) { #expect(decide(facts(letters), facts(5_000)) == .store) }

    @Test(
        "a stub takes a good article nothing away", arguments: [PageReceiver.server, .client],
        [PageReceiver.server, .client])
    func stub(new: PageReceiver, old: PageReceiver) {
        #expect(decide(facts(400, new), facts(5_000, old)) == .keep(.isShorter))
    }

    @Test("an article from a browser is replaced only by one of similar length")
    func browser() {
        #expect(decide(facts(4_000), facts(5_000, .client)) == .keep(.isShorter))
        #expect(decide(facts(4_800), facts(5_000, .client)) == .store)
        #expect(decide(facts(4_000, .client), facts(5_000, .client)) == .store)
    }

    @Test("a partial article replaces only a shorter part, and is replaced by any article that is not a stub")
    func part() {
        #expect(decide(facts(9_000, isWhole: false), facts(100)) == .keep(.isPart))
        #expect(decide(facts(100, isWhole: false), facts(100, isWhole: false)) == .keep(.isPart))
        #expect(decide(facts(200, isWhole: false), facts(100, isWhole: false)) == .store)
        #expect(decide(facts(3_000), facts(9_000, isWhole: false)) == .store)
        #expect(decide(facts(2_000), facts(9_000, isWhole: false)) == .keep(.isShorter))
        #expect(decide(facts(2_000), facts(9_000, isWhole: false), older: true) == .keep(.isShorter))
    }

    @Test("the length of an older extractor's article matters less")
    func older() {
        #expect(decide(facts(1_500), facts(5_000), older: true) == .store)
        #expect(decide(facts(1_000), facts(5_000), older: true) == .keep(.isShorter))
    }
}
