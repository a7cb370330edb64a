/// Who received a page: the server, or the user's browser, which may be signed in where the server is not.
enum PageReceiver: String, Sendable, Equatable {
    case server, client
}
