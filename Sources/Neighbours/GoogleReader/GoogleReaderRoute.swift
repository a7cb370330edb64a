import HTTP

/// The routes of the Google Reader API, as FreshRSS has them below `/api/greader.php`.
public enum GoogleReaderRoute: Equatable, Sendable {
    case signIn
    case token, user, subscriptions, tags, unreadCounts
    /// The items of a stream; of the one in the parameter `s`, or of all links, if the path names none.
    case items(stream: String), itemIDs, itemsByID
    /// The items of a stream as Atom, for newsboat.
    case atom(stream: String)
    case edit, markAllRead

    var kind: NeighbourRoute.Kind {
        switch self {
        case .edit, .markAllRead: .write
        default: .read
        }
    }

    static let base = ["api", "greader.php"]

    /// - Parameter segments: of the path, percent-decoded.
    init(_ segments: [String], _ request: Request) throws(NeighbourRoute.Failure) {
        guard segments.count > 2, segments.starts(with: Self.base) else { throw .unknown }
        let path = Array(segments.dropFirst(2))
        switch path.first {
        case "accounts" where path == ["accounts", "ClientLogin"]:
            self = try NeighbourRoute.one(request, ["POST": .signIn, "GET": .signIn])
        case "reader" where path.count >= 3 && path[1] == "atom":
            self = try NeighbourRoute.one(request, ["GET": .atom(stream: path[2...].joined(separator: "/"))])
        case "reader" where path.count >= 4 && path[1] == "api" && path[2] == "0":
            self = try Self.route(Array(path[3...]), request)
        default: throw .unknown
        }
    }

    private static func route(
        _ path: [String], _ request: Request
    ) throws(NeighbourRoute.Failure) -> GoogleReaderRoute {
        switch (path[0], path.dropFirst().first) {
        case ("token", nil): try NeighbourRoute.one(request, ["GET": .token])
        case ("user-info", nil): try NeighbourRoute.one(request, ["GET": .user])
        case ("subscription", "list") where path.count == 2: try NeighbourRoute.one(request, ["GET": .subscriptions])
        case ("tag", "list") where path.count == 2: try NeighbourRoute.one(request, ["GET": .tags])
        case ("unread-count", nil): try NeighbourRoute.one(request, ["GET": .unreadCounts])
        case ("stream", "contents"):
            try NeighbourRoute.one(request, ["GET": items(path), "POST": items(path)])
        case ("stream", "items") where path.count == 3 && path[2] == "ids":
            try NeighbourRoute.one(request, ["GET": .itemIDs, "POST": .itemIDs])
        case ("stream", "items") where path.count == 3 && path[2] == "contents":
            try NeighbourRoute.one(request, ["POST": .itemsByID, "GET": .itemsByID])
        case ("edit-tag", nil): try NeighbourRoute.one(request, ["POST": .edit])
        case ("mark-all-as-read", nil): try NeighbourRoute.one(request, ["POST": .markAllRead])
        default: throw .unknown
        }
    }

    private static func items(_ path: [String]) -> GoogleReaderRoute {
        .items(stream: path.dropFirst(2).joined(separator: "/"))
    }
}
