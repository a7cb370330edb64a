import HTTPFetch

/// A page of a link, fetched or stored.
struct Page: Sendable, Equatable {
    /// Where a page comes from.
    enum Origin: Sendable, Equatable {
        /// The server fetched it just now.
        case fetched
        /// A client sent it, at this time as PostgreSQL writes it.
        case sent(at: String)
        /// It is stored as the source of an article.
        case stored(PageReceiver)
    }

    /// The URL at which the chain of redirects ended.
    var url: String
    /// Media type without parameters, in lower case.
    var contentType: String
    /// The page in UTF-8; nil when it is not HTML.
    var html: String?
    /// A file that is not HTML and can be read nevertheless.
    var file: PageFile?
    /// The HTTP status, where it is not a success.
    var status: UInt16?
    /// The validators of a conditional request for this page.
    var validators: Validators?
    var origin = Origin.fetched
    /// Whether all of the page is the article: a user has imported it, or wants all of it.
    var isArticle = false
    /// Whether the user has asked for the whole page, and waits for it.
    var isWanted = false

    /// Whose view of the page this is.
    var source: PageReceiver {
        switch origin {
        case .fetched: .server
        case .sent: .client
        case .stored(let source): source
        }
    }
}
