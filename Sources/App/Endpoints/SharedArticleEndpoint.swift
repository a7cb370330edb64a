import ArticlePages
import HTTP
import Postgres

/// Answers `/public/<token>` and `/share/<token>` with an article that its owner shares with everyone. The page reveals
/// nothing about the owner.
struct SharedArticleEndpoint {
    let database: RetryingDatabase

    func respond(to request: Request, token: String) throws -> Response {
        let rows = try database.transaction(
            as: Identity(role: "auth_service", isReadOnly: true),
            [
                """
                select title, url, byline, site_name, published, lang, dir, content
                from private.shared_article(\(token))
                """
            ], isRead: true)[0]
        guard rows.count == 1, let url = rows.text(0, 1), let content = rows.text(0, 7) else {
            return Self.page(status: 404, Self.notShared)
        }
        let page = ArticlePage(
            title: rows.text(0, 0), url: url, byline: rows.text(0, 2), siteName: rows.text(0, 3),
            published: rows.text(0, 4), lang: rows.text(0, 5), dir: rows.text(0, 6), content: content)
        return Self.page(status: 200, page.html)
    }

    private static let notShared =
        MarkupText.head(title: "Not shared", lang: "en", dir: nil) + "<h1>Not shared</h1>\n"
        + "<p>No article is shared at this address, or it is no longer shared.</p>\n</body>\n</html>\n"

    private static func page(status: Int, _ html: String) -> Response {
        Response(status: status, headers: headers, body: Array(html.utf8))
    }

    /// The sandbox gives the page an origin of its own, without scripts, forms and the storage of the app. Its pictures are
    /// those that this server keeps, so that no other server learns of its readers.
    private static let headers: Headers = [
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": """
        sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; \
        img-src 'self' data:; form-action 'none'; base-uri 'none'; frame-ancestors 'none'
        """,
        "x-dns-prefetch-control": "off", "x-robots-tag": "noindex, nofollow",
    ]
}
