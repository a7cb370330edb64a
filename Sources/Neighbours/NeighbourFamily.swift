import HTTP
import JSON

/// Another reader whose clients Lectern answers. Each has its own shape of errors.
public enum NeighbourFamily: String, Sendable, CaseIterable {
    case wallabag, linkding, pullRead, googleReader

    /// The family of a path; nil for a path of no other reader's API.
    public init?(path: String) {
        guard ["/api/", "/oauth/", "/favicons/"].contains(where: { path.hasPrefix($0) }) else { return nil }
        let segments = path.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        if segments.starts(with: GoogleReaderRoute.base) {
            self = .googleReader
            return
        }
        // Both answer this path, and only wallabag's clients read its errors.
        let isShared = segments == ["api", "config"]
        if segments[0] == "favicons" || PullReadRoute.contains(segments) && !isShared {
            self = .pullRead
        } else {
            self = LinkdingRoute.has(path: path) ? .linkding : .wallabag
        }
    }

    /// An error of signing in, in the shape of OAuth (RFC 6749, 5.2).
    public static func oauthError(status: Int, _ code: String, _ description: String) -> Response {
        WallabagError.oauth(status: status, code, description)
    }

    /// An error in the family's shape.
    ///
    /// - Parameter isCredentials: whether the error is about the credentials of the request.
    public func response(to error: some APIError, isCredentials: Bool = false) -> Response {
        switch self {
        case .wallabag:
            isCredentials ? WallabagError.response(toCredentials: error) : WallabagError.response(to: error)
        case .linkding: LinkdingError.response(to: error)
        case .pullRead: PullReadError.response(to: error)
        case .googleReader: GoogleReaderError.response(to: error, isCredentials: isCredentials)
        }
    }
}
