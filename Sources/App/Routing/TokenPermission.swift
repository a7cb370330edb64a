import Auth
import Neighbours

/// What the scope of a personal API token permits on a route. This is the only place that decides it, for every scope,
/// route and method; what is not listed is refused.
enum TokenPermission: Equatable, Sendable {
    /// Everything that the user may do.
    case everything
    /// To read. The transaction is read-only, except for `CallerTransaction.writing`.
    case reading
    /// To add links. The response has only their ids and states, and links that exist keep their values.
    case adding

    /// - Parameter onlyReads: whether a function below `/rest/v1/rpc/` only reads.
    /// - Throws: `TokenError.insufficientScope` if the scope does not permit the request.
    init(
        _ scope: PersonalToken.Scope, _ route: APIRoute, method: String, onlyReads: (String) throws -> Bool
    ) throws {
        switch (scope, route) {
        case (.full, .restRoot), (.full, .rest), (.full, .serverFunction), (.full, .auth(.user)):
            self = .everything
        case (.read, .restRoot), (.read, .auth(.user)):
            self = .reading
        case (.read, .rest) where ["GET", "HEAD", "OPTIONS"].contains(method):
            self = .reading
        case (.read, .book), (.full, .book), (.feed, .book): self = .reading
        case (.read, .document), (.full, .document): self = .reading
        case (.read, .markdown), (.full, .markdown): self = .reading
        case (.read, .auth(.copies)), (.full, .auth(.copies)): self = .reading
        case (.full, .importFile): self = .everything
        // PostgREST's clients call every function with POST.
        case (.read, .rest(.function(let name))) where try method == "POST" && onlyReads(name):
            self = .reading
        case (.save, .rest(.table("links"))) where method == "POST",
            (.save, .rest(.function("save_page"))) where method == "POST",
            (.save, .rest(.function("save_copy"))) where method == "POST",
            (.save, .importFile):
            self = .adding
        // Resolving a URL neither reads nor changes rows of the user; clients do it before they save.
        case (.save, .serverFunction):
            self = .everything
        case (.read, .neighbour(let route)) where route.kind == .read: self = .reading
        case (.save, .neighbour(let route)) where route.kind == .save: self = .adding
        case (.full, .neighbour): self = .everything
        // Of all tokens, only those for feeds may be in a path.
        case (.feed, .feed), (.feed, .catalog):
            self = .reading
        case (.read, .catalog(let route)) where route.token == nil,
            (.full, .catalog(let route)) where route.token == nil:
            self = .reading
        default:
            throw TokenError.insufficientScope(scope.explanation)
        }
    }
}
