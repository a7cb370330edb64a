import Jobs

/// One lease of the job that makes a book of several articles.
struct MadeBookJob: Hashable, Sendable {
    var book: String
    var user: String
    var title: String
    /// The links in the order of the book.
    var links: [String]
    var lease: Lease
    /// Which attempt this is, from 1.
    var attempt: Int
    /// Whether pictures of its articles are still to be fetched.
    var awaitsPictures: Bool
}
