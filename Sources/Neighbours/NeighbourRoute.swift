import HTTP

/// A route of another reader's API.
public enum NeighbourRoute: Equatable, Sendable {
    case wallabag(WallabagRoute)
    case linkding(LinkdingRoute)
    case pullRead(PullReadRoute)
    case googleReader(GoogleReaderRoute)

    /// No route has the path, or not with this method.
    public enum Failure: Error, Equatable {
        case unknown
        case method(allowed: [String])
    }

    /// What a route does, which decides the scopes of API tokens that may use it.
    public enum Kind: Sendable {
        /// Reveals nothing about a user: no credentials are needed.
        case open
        case read
        /// Adds links.
        case save
        case write
    }

    /// - Parameter segments: of the path, percent-decoded.
    public init(_ segments: [String], _ request: Request) throws(Failure) {
        if let route = PullReadRoute(segments, request) {
            self = .pullRead(route)
            return
        }
        switch NeighbourFamily(path: request.path) {
        case .wallabag: self = .wallabag(try WallabagRoute(segments, request))
        case .linkding: self = .linkding(try LinkdingRoute(segments, request))
        case .googleReader: self = .googleReader(try GoogleReaderRoute(segments, request))
        case .pullRead, nil: throw .unknown
        }
    }

    public var kind: Kind {
        switch self {
        case .wallabag(let route): route.kind
        case .linkding(let route): route.kind
        case .pullRead(let route): route.kind
        case .googleReader(let route): route.kind
        }
    }

    /// Whether the answer changes by writes of the user only, so that it can have an entity tag.
    ///
    /// - Parameter query: of the request.
    public func isTagged(_ query: String) -> Bool {
        switch self {
        case .wallabag(let route): route.isTagged
        case .linkding(let route): route.isTagged(query)
        // Its lists bring their own.
        case .pullRead, .googleReader: false
        }
    }

    /// The content type of the answers in JSON. It has no charset, because some clients compare the whole value.
    public static let contentType = "application/json"

    /// The family to whose API the route belongs.
    public var family: NeighbourFamily {
        switch self {
        case .wallabag: .wallabag
        case .linkding: .linkding
        case .pullRead: .pullRead
        case .googleReader: .googleReader
        }
    }

    /// The route for the request's method.
    ///
    /// - Parameter routes: the routes of a path by method. HEAD is answered as GET.
    static func one<Route>(
        _ request: Request, _ routes: KeyValuePairs<String, Route>
    ) throws(Failure) -> Route {
        let method = request.method == "HEAD" ? "GET" : request.method
        for (name, route) in routes where name == method { return route }
        throw .method(allowed: routes.map(\.key))
    }

    /// An integer id: a number below 2^31.
    static func number(_ text: String) throws(Failure) -> Int {
        guard text.utf8.count <= 10, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(text),
            number <= Int(Int32.max)
        else { throw .unknown }
        return number
    }
}
