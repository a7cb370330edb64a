import HTTP
import JSON

/// Another reader whose clients Lectern answers. Each has its own shape of errors.
public enum NeighbourFamily: String, Sendable, CaseIterable {
    case wallabag

    /// The family of a path; nil for a path of no other reader's API.
    public init?(path: String) {
        guard path.hasPrefix("/api/") || path.hasPrefix("/oauth/") else { return nil }
        self = .wallabag
    }

    /// An error in the family's shape.
    ///
    /// - Parameter isCredentials: whether the error is about the credentials of the request.
    public func response(to error: some APIError, isCredentials: Bool = false) -> Response {
        switch self {
        case .wallabag:
            isCredentials ? WallabagError.response(toCredentials: error) : WallabagError.response(to: error)
        }
    }
}
