/// The book that a mail to an e-reader carries, as `private.ereader_mails` names it.
struct MailedBook: Equatable {
    enum Source: Equatable {
        case link(String)
        /// A book of several articles.
        case book(String)
    }

    /// What is known of the file when the mail is due.
    enum File: Equatable {
        /// The SHA-256 of the file, and its size.
        case made(hash: String, bytes: Int)
        /// The book is still being made.
        case pending
        /// There will be no file, with the reason for the user.
        case none(reason: String)
    }

    var source: Source
    var title: String

    /// The largest file that is sent: many mail servers accept 35 MB, which base 64 makes of it.
    static let maxBytes = 25_000_000
}
