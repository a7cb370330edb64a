/// Whose view of a page: the server's own, or that of its user's browser, which may be signed in where the server is not.
enum PageSource: String, Sendable, Equatable {
    case server, client
}
