import Neighbours
import REST

/// A route answered for a caller.
public enum APIRoute: Equatable, Sendable {
    case restRoot
    case rest(Resource)
    case serverFunction(String)
    case auth(AuthRoute)
    case feed(FeedRoute)
    /// `/books/<id>.epub` or its cover, with the id of a link or of a book of several articles
    case book(String, BookFileType)
    case catalog(OPDSRoute)
    /// `/import/v1/files`
    case importFile
    /// `/documents/<link id>`
    case document(link: String)
    /// `/markdown/<link id>.md`
    case markdown(link: String)
    /// A path of another reader's API.
    case neighbour(NeighbourRoute)

    /// The credentials that the route requires.
    var access: AuthRoute.Access {
        switch self {
        case .auth(let route): route.access
        case .book, .feed, .catalog, .document, .markdown: .library
        case .restRoot, .rest, .serverFunction, .importFile: .caller
        case .neighbour(let route): route.access
        }
    }

    /// The personal API token in the path, which replaces all other credentials.
    var pathToken: String? {
        switch self {
        case .feed(let route): route.token
        case .catalog(let route): route.token
        case .auth, .book, .restRoot, .rest, .serverFunction, .importFile, .document, .markdown, .neighbour: nil
        }
    }
}
