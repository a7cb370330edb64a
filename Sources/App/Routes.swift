import Auth
import HTTP

/// Where a request goes: every path the workers answer, in one place.
public enum Route: Equatable, Sendable {
    case health
    case metrics
    case restRoot
    case table(String)
    case function(String)
    case auth(AuthRoute)
    case publicFile(bucket: String, path: String)
    case serverFunction(String)
    case preflight

    /// The personal API tokens a request may come with; none but those that are named here.
    func scopes(_ method: String) -> [PersonalToken.Scope] {
        let isRead = method == "GET" || method == "HEAD"
        switch self {
        case .restRoot: return [.read, .save, .full]
        case .table("links") where method == "POST", .function("save_page") where method == "POST": return [.save, .full]
        case .serverFunction: return [.save, .full]
        case .table, .function: return isRead ? [.read, .full] : [.full]
        case .auth(let route): return route.scopes
        case .health, .metrics, .publicFile, .preflight: return []
        }
    }

    /// The name in logs and metrics: no name of a table, bucket or function, which clients choose.
    public var label: Label {
        switch self {
        case .health: .health
        case .metrics: .metrics
        case .restRoot: .restRoot
        case .table: .table
        case .function: .function
        case .auth(.signUp): .signUp
        case .auth(.token): .token
        case .auth(.user), .auth(.updateUser), .auth(.deleteUser): .user
        case .auth(.logout): .logout
        case .auth(.health), .auth(.settings), .auth(.keys): .authInfo
        case .auth(.admin): .admin
        case .auth: .account
        case .publicFile: .publicFile
        case .serverFunction: .serverFunction
        case .preflight: .preflight
        }
    }

    public enum Label: String, CaseIterable, Sendable {
        case health, metrics
        case restRoot = "rest_root"
        case table = "rest_table"
        case function = "rest_rpc"
        case signUp = "auth_signup"
        case token = "auth_token"
        case user = "auth_user"
        case logout = "auth_logout"
        case authInfo = "auth_info"
        case account = "auth_account"
        case admin = "auth_admin"
        case publicFile = "storage_public"
        case serverFunction = "functions"
        case preflight
        case none
    }
}

/// Which dialect an answer speaks; decides the shape of its errors.
public enum Area: Sendable {
    case rest, auth, storage, functions, other

    init(path: String) {
        self =
            switch path {
            case _ where path.hasPrefix("/rest/"): .rest
            case _ where path.hasPrefix("/auth/"): .auth
            case _ where path.hasPrefix("/storage/"): .storage
            case _ where path.hasPrefix("/functions/"): .functions
            default: .other
            }
    }
}

extension Route {
    /// The route of a request.
    ///
    /// - Throws: `RouteError.unknown` or `.method`, each in the words of its area.
    public init(_ request: Request) throws(RouteError) {
        if request.method == "OPTIONS", request.headers["access-control-request-method"] != nil {
            self = .preflight
            return
        }
        let segments = try Self.segments(request.path)
        switch (segments.first, segments.dropFirst().first, Array(segments.dropFirst(2))) {
        case ("health", nil, _): self = try Self.only(["GET", "HEAD"], request, .health)
        case ("metrics", nil, _): self = try Self.only(["GET"], request, .metrics)
        case ("rest", "v1", let rest): self = try Self.rest(rest, request)
        case ("auth", "v1", let rest) where !rest.isEmpty: self = .auth(try AuthRoute(rest, request))
        case ("storage", "v1", let rest): self = try Self.storage(rest, request)
        case ("functions", "v1", let rest) where rest.count == 1:
            self = .serverFunction(rest[0])
        default: throw .unknown(Area(path: request.path), request.path)
        }
    }

    private static func rest(_ path: [String], _ request: Request) throws(RouteError) -> Route {
        switch (path.count, path.first) {
        case (0, _), (1, ""): return try only(["GET", "HEAD"], request, .restRoot)
        case (2, "rpc"): return .function(path[1])
        case (1, let table?): return .table(table)
        default: throw .unknown(.rest, request.path)
        }
    }

    private static func storage(_ path: [String], _ request: Request) throws(RouteError) -> Route {
        guard path.count >= 4, path[0] == "object", path[1] == "public" else { throw .unknown(.storage, request.path) }
        let file = Route.publicFile(bucket: path[2], path: path[3...].joined(separator: "/"))
        return try only(["GET", "HEAD"], request, file)
    }

    private static func only(_ methods: [String], _ request: Request, _ route: Route) throws(RouteError) -> Route {
        guard methods.contains(request.method) else {
            throw .method(Area(path: request.path), request.method, allowed: methods)
        }
        return route
    }

    /// The path's segments, each percent-decoded after the split, so that `%2F` never makes a segment of its own.
    private static func segments(_ path: String) throws(RouteError) -> [String] {
        var segments: [String] = []
        for part in path.dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            guard let text = percentDecoded(part), !text.utf8.contains(0), text != "..", text != "." else {
                throw .unknown(Area(path: path), path)
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
            guard let high = rest.popFirst(), let low = rest.popFirst(),
                let value = UInt8(String(decoding: [high, low], as: UTF8.self), radix: 16)
            else { return nil }
            bytes.append(value)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

/// A path nobody answers, or not with this method.
public enum RouteError: APIError, Equatable {
    case unknown(Area, String)
    case method(Area, String, allowed: [String])

    public var area: Area {
        switch self {
        case .unknown(let area, _), .method(let area, _, _): area
        }
    }

    public var status: Int {
        switch self {
        case .unknown: 404
        case .method: 405
        }
    }

    public var code: String {
        switch self {
        case .unknown: "PGRST125"
        case .method: "PGRST117"
        }
    }

    public var message: String {
        switch self {
        case .unknown: "Invalid path specified in request URL"
        case .method(_, let method, _): "Unsupported HTTP method: \(method)"
        }
    }
}
