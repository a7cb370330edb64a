import Jobs
import Postgres
import Readability
import Testing

@testable import Saving

@Suite("Saving / outcome")
struct SaveOutcomeTests {
    private static let saved = SavedURL(linkID: "1", userID: "2", url: "http://x.test/")
    private static let refused = SaveError.Failure(
        cause: JobFailure(reason: "http_error", message: "The site answers 403."), isRetryable: false)

    private static func page(_ text: String, _ origin: Page.Origin = .fetched) -> Page {
        Page(url: saved.url, contentType: "text/html", html: text, origin: origin)
    }

    private static let article = StoredArticle(
        title: "Whole", content: "<p>Words</p>", textContent: "Words of an article", length: 19, wordCount: 4)

    /// What is read in the page of this name.
    private static func extracted(_ name: String, _ origin: Page.Origin = .fetched) -> ExtractedPage {
        let page = page(name, origin)
        return switch name {
        case "article": ExtractedPage(page: page, title: "Whole", kind: .article, article: article)
        case "film": ExtractedPage(page: page, title: "A film", kind: .video, missing: .noArticle)
        case "front": ExtractedPage(page: page, title: "A front page", missing: .behind(.index))
        case "empty": ExtractedPage(page: page, title: "A shell", missing: .behind(.empty))
        case "scripts": ExtractedPage(page: page, title: "A shell", missing: .behind(.needsScripts))
        case "challenge": ExtractedPage(page: page, missing: .behind(.botChallenge))
        case "login": ExtractedPage(page: page, missing: .behind(.loginWall))
        default: ExtractedPage(page: page, missing: .noArticle)
        }
    }

    /// - Parameters:
    ///   - fetched: the name of the fetched page; nil: the site refused.
    ///   - sent: the name of the page that a client sent.
    private func outcome(fetched: String?, sent: String?) throws(SaveError) -> SaveOutcome {
        let pages = [fetched.map { Self.extracted($0) }, sent.map { Self.extracted($0, .sent(at: "now")) }].compactMap {
            $0
        }
        let usable = try SaveOutcome.usable(pages, fetched == nil ? Self.refused : nil)
        return SaveOutcome(of: usable, origin: nil, StoredState(saved: Self.saved), isAwaited: true)
    }

    @Test(
        "where the server received an interstitial, the page that a client sent is chosen, with or without an article",
        arguments: ["challenge", "login"], ["film", "front", "article", "empty"])
    func wall(fetched: String, sent: String) throws {
        let outcome = try outcome(fetched: fetched, sent: sent)
        #expect(outcome.chosen == Self.extracted(sent, .sent(at: "now")))
        #expect(outcome.pages.count == 2)
    }

    @Test("where the browser showed an interstitial, the fetched page is chosen")
    func wallInTheBrowser() throws {
        #expect(try outcome(fetched: "film", sent: "login").chosen?.page.source == .server)
        #expect(try outcome(fetched: "challenge", sent: "login").chosen?.page.source == .server)
        #expect(try outcome(fetched: "film", sent: "front").chosen?.page.source == .server)
    }

    @Test(
        "a failed fetch does not matter where a client sent a page that describes the link",
        arguments: ["film", "front", "article"])
    func refusedAndSent(sent: String) throws {
        #expect(try outcome(fetched: nil, sent: sent).chosen?.title == Self.extracted(sent).title)
    }

    @Test("otherwise the failure is thrown", arguments: [nil, "empty", "scripts", "challenge", "login"])
    func refused(sent: String?) {
        #expect(throws: SaveError.failed(Self.refused)) { try outcome(fetched: nil, sent: sent) }
    }

    @Test("the kind of a link is that of the page whose article is stored")
    func kind() throws {
        let job = Job(id: 1, userID: "2", linkID: "1", lease: 1, attempt: 1, interruptions: 0, kind: .save)
        let (film, article) = (Self.extracted("film"), Self.extracted("article", .sent(at: "now")))
        func kinds(_ outcome: SaveOutcome) -> [SQL.Bind] {
            Array(LinkStore(Database(""), job: job).facts(of: film, outcome).binds.prefix(2))
        }
        #expect(kinds(SaveOutcome(chosen: film, stored: article)) == ["article", "video"])
        #expect(kinds(SaveOutcome(chosen: film, stored: film)) == ["video", "video"])
    }

    private func state(_ text: String, source: PageReceiver = .server) -> StoredState {
        let article = ExistingArticle(source: source, text: text, isWhole: true, isOfOlderExtractor: false)
        return StoredState(saved: Self.saved, article: article)
    }

    @Test("a much shorter article does not replace the existing one, and a link that was saved again says so")
    func shorter() {
        let long = state(String(repeating: "word", count: 1_000))
        let outcome = SaveOutcome(of: [Self.extracted("article")], origin: nil, long, isAwaited: true)
        #expect(outcome.stored == nil && outcome.whyKept == .isShorter && outcome.description == "worse_page")
    }

    @Test("a recheck that finds a worse page changes nothing")
    func unawaited() {
        let long = state(String(repeating: "word", count: 1_000))
        let outcome = SaveOutcome(of: [Self.extracted("article")], origin: nil, long, isAwaited: false)
        #expect(outcome.chosen == nil && outcome.stored == nil && outcome.whyKept == nil)
        #expect(outcome.description == "nothing new" && outcome.pages.count == 1)
    }

    @Test("without another page, the article's page read by a newer extractor is stored")
    func readAgain() {
        let origin = Self.extracted("article", .stored(.server))
        let outcome = SaveOutcome(of: [], origin: origin, state("Words"), isAwaited: true)
        #expect(outcome.chosen == origin && outcome.stored == origin && outcome.pages == [origin])
    }
}
