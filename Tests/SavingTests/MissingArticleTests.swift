import Readability
import Testing

@testable import Saving

@Suite("Saving / missing article")
struct MissingArticleTests {
    private static let all: [MissingArticle] = [
        .notHTML, .noArticle, .overBudget, .unreadFile, .behind(.loginWall), .behind(.empty),
    ]

    @Test("every reason has a code and sentences that end", arguments: all)
    func sentences(missing: MissingArticle) {
        #expect(!missing.code.contains(" "))
        for sentence in [
            missing.sentence(hasText: true), missing.sentence(hasText: false), missing.sentenceBesideArticle,
        ] {
            #expect(sentence.hasSuffix("."))
        }
        #expect(missing.sentenceBesideArticle.hasSuffix("The stored article was kept."))
    }

    @Test("the beginning of an article and the text of a large page are partial")
    func partial() {
        #expect(MissingArticle.overBudget.isPartial && MissingArticle.behind(.subscriptionWall).isPartial)
        #expect(!MissingArticle.noArticle.isPartial && !MissingArticle.behind(.loginWall).isPartial)
    }

    @Test("a login wall is another page than the saved one, an empty page is not")
    func replacesSavedPage() {
        #expect(MissingArticle.behind(.loginWall).replacesSavedPage && !MissingArticle.behind(.empty).replacesSavedPage)
        #expect(!MissingArticle.notHTML.replacesSavedPage)
    }
}
