import Neighbours

/// The API family of a path. It decides the shape of error responses. `library` is what e-readers and feed readers open,
/// `neighbour` the API of another reader.
public enum APIFamily: Sendable, Equatable {
    case rest, auth, storage, functions, library, other
    case neighbour(NeighbourFamily)

    init(path: String) {
        if let family = NeighbourFamily(path: path) {
            self = .neighbour(family)
            return
        }
        self =
            switch path {
            case _ where path.hasPrefix("/rest/"): .rest
            case _ where path.hasPrefix("/auth/"): .auth
            case _ where path.hasPrefix("/storage/"): .storage
            case _ where path.hasPrefix("/functions/"): .functions
            case "/opds": .library
            case _ where Self.libraryPaths.contains { path.hasPrefix($0) }: .library
            default: .other
            }
    }

    private static let libraryPaths = ["/books/", "/documents/", "/markdown/", "/opds/", "/feed/"]
}
