import Jobs
import Postgres
import Readability
import Testing

@testable import Saving

@Suite("Saving / life of a link")
struct SaveLinkTests {
    private static let saved = SavedURL(linkID: "1", userID: "2", url: "http://x.test/")
    private static let refused = SaveError.Failure(cause: JobFailure(reason: "http_error", message: "The site answers 403."), isRetryable: false)

    private static func page(_ words: String) -> Page { Page(url: saved.url, contentType: "text/html", html: words) }

    private static let article = StoredArticle(title: "Whole", content: "<p>Words</p>", textContent: "Words of an article", length: 19, wordCount: 4)

    /// What is read in a page of these words.
    private static let readings: [String: ExtractedPage] = [
        "article": ExtractedPage(title: "Whole", kind: .article, article: article),
        "film": ExtractedPage(title: "A film", kind: .video, missing: .noArticle),
        "front": ExtractedPage(title: "A front page", missing: .behind(.index)),
        "empty": ExtractedPage(title: "A shell", missing: .behind(.empty)),
        "scripts": ExtractedPage(title: "A shell", missing: .behind(.needsScripts)),
        "challenge": ExtractedPage(missing: .behind(.botChallenge)),
        "login": ExtractedPage(missing: .behind(.loginWall)),
    ]

    /// - Parameters:
    ///   - fetched: nil: the site refused.
    ///   - sent: by a client.
    private func outcome(fetched: String?, sent: String?) throws(SaveError) -> SaveOutcome {
        try SaveLink(
            recall: { _ in StoredState(unread: sent.map { [StoredPage(place: .sent(at: "now"), page: Self.page($0))] } ?? []) },
            resolve: { _, _ throws(SaveError) in
                guard let fetched else { throw .failed(Self.refused) }
                return Self.page(fetched)
            },
            read: { page in Self.readings[page.html ?? ""] ?? ExtractedPage(missing: .noArticle) },
            canonicalise: { CanonicalLink($0) },
            store: { _, _, _, _ in }
        )(Self.saved)
    }

    @Test("where the server met a wall the page that was sent speaks for the link, with or without an article", arguments: ["challenge", "login"], ["film", "front", "article", "empty"])
    func wall(fetched: String, sent: String) throws {
        let outcome = try outcome(fetched: fetched, sent: sent)
        #expect(outcome.view?.source == .client && outcome.view?.reading == Self.readings[sent])
        #expect(outcome.pages.count == 2)
    }

    @Test("where the browser met a wall, what was fetched does")
    func wallInTheBrowser() throws {
        #expect(try outcome(fetched: "film", sent: "login").view?.source == .server)
        #expect(try outcome(fetched: "challenge", sent: "login").view?.source == .server)
        #expect(try outcome(fetched: "film", sent: "front").view?.source == .server)
    }

    @Test("what could not be fetched is no matter where a page was sent that says something", arguments: ["film", "front", "article"])
    func refusedAndSent(sent: String) throws {
        #expect(try outcome(fetched: nil, sent: sent).view?.reading == Self.readings[sent])
    }

    @Test("else what went wrong is told", arguments: [nil, "empty", "scripts", "challenge", "login"])
    func refused(sent: String?) {
        #expect(throws: SaveError.failed(Self.refused)) { try outcome(fetched: nil, sent: sent) }
    }

    @Test("what a link is, the page tells whose article is stored")
    func kind() throws {
        let job = Job(id: 1, userID: "2", linkID: "1", lease: 1, attempt: 1, interruptions: 0, kind: .save)
        let view = PageView(source: .server, page: Self.page("film"), reading: try #require(Self.readings["film"]))
        let stored = PageView(source: .client, page: Self.page("article"), reading: try #require(Self.readings["article"]))
        func kinds(_ outcome: SaveOutcome) -> [SQL.Bind] {
            Array(LinkStore(Database(""), job: job).facts(of: view.reading, outcome).binds.prefix(2))
        }
        let (film, article): (SQL, SQL) = ("\("video") \("video")", "\("article") \("video")")
        #expect(kinds(SaveOutcome(view: view, stored: stored)) == article.binds)
        #expect(kinds(SaveOutcome(view: view, stored: view)) == film.binds)
    }
}
