/// One lease of a mail that is to be sent now.
struct DueMail: Equatable {
    var id: String
    var kind: String
    var recipient: String
    var subject: String
    var body: String
    /// The body as HTML; nil: it is sent as text alone.
    var html: String?
    /// The book that the mail carries; nil: none.
    var book: MailedBook?
    /// Seconds since 1970.
    var createdAt: Int
    /// Which attempt this is, from 1; with `id` the token of the lease.
    var attempt: Int

    var lease: Lease { Lease(key: id, number: attempt) }
}
