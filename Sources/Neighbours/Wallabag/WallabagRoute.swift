import HTTP

/// The routes of wallabag's API, each with and without `.json`.
public enum WallabagRoute: Equatable, Sendable {
    case version, info

    var kind: NeighbourRoute.Kind {
        switch self {
        case .version, .info: .open
        }
    }

    init(_ segments: [String], _ request: Request) throws(NeighbourRoute.Failure) {
        var path = segments
        if let last = path.last, last.hasSuffix(".json") { path[path.count - 1] = String(last.dropLast(5)) }
        switch path {
        case ["api", "version"]: self = try NeighbourRoute.one(request, ["GET": .version])
        case ["api", "info"]: self = try NeighbourRoute.one(request, ["GET": .info])
        default: throw .unknown
        }
    }
}
