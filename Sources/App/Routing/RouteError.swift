import HTTP

/// No route has this path, or not with this method.
public enum RouteError: APIError, Equatable {
    case unknown(APIFamily, String)
    case method(APIFamily, String, allowed: [String])

    public var family: APIFamily {
        switch self {
        case .unknown(let family, _), .method(let family, _, _): family
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
