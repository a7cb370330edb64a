/// What a client saved.
struct SavedURL: Sendable, Equatable {
    var linkID: String
    var userID: String
    /// The URL as the client sent it, unchanged.
    var url: String

    /// Whether the link is a document, which has nothing to fetch.
    var isDocument: Bool { DocumentFile.isAddress(url) }
}
