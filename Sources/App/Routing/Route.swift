import FoundationEssentials
import HTTP
import Neighbours
import Text

/// The route of a request. All paths that the workers answer are in this file, in `AuthRoute.swift` and in
/// `NeighbourRoute.swift`.
public enum Route: Equatable, Sendable {
    case open(OpenRoute)
    case api(APIRoute)
}

extension Route {
    /// The route of a request.
    ///
    /// - Throws: `RouteError.unknown` or `.method`.
    public init(_ request: Request) throws(RouteError) {
        if request.method == "OPTIONS", request.headers["access-control-request-method"] != nil {
            self = .open(.preflight)
            return
        }
        let segments = try Self.segments(request.path)
        switch (segments.first, segments.dropFirst().first, Array(segments.dropFirst(2))) {
        case ("health", nil, _): self = try Self.only(["GET", "HEAD"], request, .open(.health))
        case ("metrics", nil, _): self = try Self.only(["GET"], request, .open(.metrics))
        case ("opensearch.xml", nil, _): self = try Self.only(["GET", "HEAD"], request, .open(.searchDescription))
        case ("public", let token?, []) where !token.isEmpty && token.utf8.count <= 100,
            ("share", let token?, []) where !token.isEmpty && token.utf8.count <= 100:
            self = try Self.only(["GET", "HEAD"], request, .open(.sharedArticle(token: token)))
        case ("rest", "v1", let rest): self = try Self.rest(rest, request)
        case ("auth", "v1", let rest) where !rest.isEmpty: self = .api(.auth(try AuthRoute(rest, request)))
        case ("storage", "v1", let rest): self = try Self.storage(rest, request)
        case ("books", let file?, []): self = try Self.book(file, request)
        case ("documents", let link?, []) where UUID(uuidString: link) != nil:
            self = try Self.only(["GET", "HEAD"], request, .api(.document(link: link.lowercased())))
        case ("markdown", let file?, []): self = try Self.markdown(file, request)
        case ("import", "v1", ["files"]): self = try Self.only(["POST", "HEAD"], request, .api(.importFile))
        case ("functions", "v1", let rest) where rest.count == 1: self = .api(.serverFunction(rest[0]))
        case ("feed", _, _): self = try Self.feed(Array(segments.dropFirst()), request)
        case ("opds", _, _): self = try Self.catalog(Array(segments.dropFirst()), request)
        case ("api", _, _), ("oauth", _, _), ("favicons", _, _): self = try Self.neighbour(segments, request)
        default: throw .unknown(APIFamily(path: request.path), request.path)
        }
    }

    private static func rest(_ path: [String], _ request: Request) throws(RouteError) -> Route {
        switch (path.count, path.first) {
        case (0, _), (1, ""): return try only(["GET", "HEAD"], request, .api(.restRoot))
        case (2, "rpc"): return .api(.rest(.function(path[1])))
        case (1, let table?): return .api(.rest(.table(table)))
        default: throw .unknown(.rest, request.path)
        }
    }

    private static func book(_ file: String, _ request: Request) throws(RouteError) -> Route {
        guard let (file, id) = BookFileType.parse(file) else { throw .unknown(.library, request.path) }
        return try only(["GET", "HEAD"], request, .api(.book(id.text, file)))
    }

    private static func markdown(_ file: String, _ request: Request) throws(RouteError) -> Route {
        let id = String(file.dropLast(3))
        guard file.hasSuffix(".md"), UUID(uuidString: id) != nil else { throw .unknown(.library, request.path) }
        return try only(["GET", "HEAD"], request, .api(.markdown(link: id.lowercased())))
    }

    private static func storage(_ path: [String], _ request: Request) throws(RouteError) -> Route {
        guard path.count >= 4, path[0] == "object", path[1] == "public" else { throw .unknown(.storage, request.path) }
        let file = OpenRoute.publicFile(bucket: path[2], path: path[3...].joined(separator: "/"))
        return try only(["GET", "HEAD"], request, .open(file))
    }

    private static func feed(_ path: [String], _ request: Request) throws(RouteError) -> Route {
        guard let route = FeedRoute(path) else { throw .unknown(.library, request.path) }
        return try only(["GET", "HEAD"], request, .api(.feed(route)))
    }

    private static func catalog(_ path: [String], _ request: Request) throws(RouteError) -> Route {
        guard let route = OPDSRoute(path) else { throw .unknown(.library, request.path) }
        return try only(["GET", "HEAD"], request, .api(.catalog(route)))
    }

    private static func neighbour(_ segments: [String], _ request: Request) throws(RouteError) -> Route {
        let family = APIFamily(path: request.path)
        do { return .api(.neighbour(try NeighbourRoute(segments, request))) } catch {
            switch error {
            case .unknown: throw .unknown(family, request.path)
            case .method(let allowed): throw .method(family, request.method, allowed: allowed)
            }
        }
    }

    private static func only(_ methods: [String], _ request: Request, _ route: Route) throws(RouteError) -> Route {
        guard methods.contains(request.method) else {
            throw .method(APIFamily(path: request.path), request.method, allowed: methods)
        }
        return route
    }

    /// The segments of a path. Each is percent-decoded after the split, so `%2F` does not separate segments.
    private static func segments(_ path: String) throws(RouteError) -> [String] {
        var segments: [String] = []
        for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let text = percentDecoded(part), !text.utf8.contains(0), text != "..", text != "." else {
                throw .unknown(APIFamily(path: path), path)
            }
            segments.append(text)
        }
        return segments
    }

    /// Nil for a broken escape or text that is not UTF-8.
    private static func percentDecoded(_ text: Substring) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return String(text) }
        var bytes: [UInt8] = []
        var rest = text.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst(), let low = rest.popFirst(), let value = UInt8(hexadecimal: high, low)
            else { return nil }
            bytes.append(value)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}
