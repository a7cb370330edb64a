import Testing

@testable import Saving

@Suite("Saving / page choice")
struct PageChoiceTests {
    private func facts(_ source: PageReceiver, _ letters: Int, isWhole: Bool = true) -> ArticleQuality {
        ArticleQuality(source: source, letters: letters, isWhole: isWhole)
    }

    @Test("a single page is chosen without a reason")
    func alone() {
        #expect(PageChoice.best(of: [facts(.server, 100)]) == PageChoice(index: 0, reason: nil))
        #expect(PageChoice.best(of: [nil]) == PageChoice(index: 0, reason: nil))
        #expect(PageChoice.best(of: [nil, nil]) == PageChoice(index: 0, reason: nil))
    }

    @Test("a page without an article never beats one with an article")
    func only() {
        #expect(PageChoice.best(of: [nil, facts(.client, 10)]) == PageChoice(index: 1, reason: .only))
        #expect(PageChoice.best(of: [facts(.server, 10), nil]) == PageChoice(index: 0, reason: .only))
    }

    @Test("the longer text wins, whoever received it")
    func longer() {
        #expect(
            PageChoice.best(of: [facts(.server, 900), facts(.client, 5_000)]) == PageChoice(index: 1, reason: .longer))
        #expect(
            PageChoice.best(of: [facts(.server, 5_000), facts(.client, 300)]) == PageChoice(index: 0, reason: .longer))
    }

    @Test("texts that differ by a caption are alike, and the first is chosen")
    func alike() {
        #expect(
            PageChoice.best(of: [facts(.server, 5_000), facts(.client, 5_200)]) == PageChoice(index: 0, reason: .alike))
    }

    @Test("the beginning before a paywall loses against an article, and so does the plain text of a page over budget")
    func whole() {
        for letters in [300, 3_000] {
            let part = facts(.server, letters, isWhole: false)
            #expect(PageChoice.best(of: [part, facts(.client, 800)]) == PageChoice(index: 1, reason: .whole))
        }
    }

    @Test("a partial article wins where the whole one is a stub beside it")
    func stub() {
        let part = facts(.server, 5_000, isWhole: false)
        #expect(PageChoice.best(of: [part, facts(.client, 800)]) == PageChoice(index: 0, reason: .longer))
        #expect(PageChoice.best(of: [facts(.client, 800), part]) == PageChoice(index: 1, reason: .longer))
    }

    @Test("at most one of two articles is better", arguments: [true, false], [true, false])
    func asymmetric(isWhole: Bool, isOtherWhole: Bool) {
        for letters in stride(from: 0, through: 4_000, by: 37) {
            let (one, other) = (facts(.server, letters, isWhole: isWhole), facts(.client, 1_500, isWhole: isOtherWhole))
            #expect(PageChoice.isBetter(one, than: other) == nil || PageChoice.isBetter(other, than: one) == nil)
        }
    }
}
