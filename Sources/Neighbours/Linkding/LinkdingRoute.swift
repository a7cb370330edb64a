import HTTP

/// The routes of linkding's API. Numbers are integer ids.
public enum LinkdingRoute: Equatable, Sendable {
    case bookmarks, createBookmark, archived, shared, check
    case bookmark(Int), replaceBookmark(Int), changeBookmark(Int), deleteBookmark(Int)
    case archive(Int), unarchive(Int)
    case tags, createTag, tag(Int)
    case profile

    public var kind: NeighbourRoute.Kind {
        switch self {
        case .bookmarks, .archived, .shared, .check, .bookmark, .tags, .tag, .profile: .read
        case .createBookmark: .save
        default: .write
        }
    }

    /// Searches change by themselves, because texts are indexed later than they are written.
    func isTagged(_ query: String) -> Bool {
        switch self {
        case .bookmarks, .archived: !query.contains("q=")
        case .bookmark, .tags, .tag: true
        default: false
        }
    }

    /// Whether a path belongs to linkding: that of its tags is wallabag's but for the slash at its end.
    static func has(path: String) -> Bool {
        path.hasPrefix("/api/bookmarks") || path.hasPrefix("/api/tags/") && path.hasSuffix("/")
            || path.hasPrefix("/api/user/profile")
    }

    init(_ segments: [String], _ request: Request) throws(NeighbourRoute.Failure) {
        var path = Array(segments.dropFirst())
        if path.last == "" { path.removeLast() }
        switch path.first {
        case "bookmarks": self = try Self.bookmarks(Array(path.dropFirst()), request)
        case "tags" where path.count == 1: self = try NeighbourRoute.one(request, ["GET": .tags, "POST": .createTag])
        case "tags" where path.count == 2:
            self = try NeighbourRoute.one(request, ["GET": .tag(try NeighbourRoute.number(path[1]))])
        case "user" where path == ["user", "profile"]: self = try NeighbourRoute.one(request, ["GET": .profile])
        default: throw .unknown
        }
    }

    private static func bookmarks(_ path: [String], _ request: Request) throws(NeighbourRoute.Failure) -> Self {
        switch path {
        case []: return try NeighbourRoute.one(request, ["GET": .bookmarks, "POST": .createBookmark])
        case ["archived"]: return try NeighbourRoute.one(request, ["GET": .archived])
        case ["shared"]: return try NeighbourRoute.one(request, ["GET": .shared])
        case ["check"]: return try NeighbourRoute.one(request, ["GET": .check])
        default: break
        }
        let id = try NeighbourRoute.number(path[0])
        switch Array(path.dropFirst()) {
        case []:
            return try NeighbourRoute.one(
                request,
                [
                    "GET": .bookmark(id), "PUT": .replaceBookmark(id), "PATCH": .changeBookmark(id),
                    "DELETE": .deleteBookmark(id),
                ])
        case ["archive"]: return try NeighbourRoute.one(request, ["POST": .archive(id)])
        case ["unarchive"]: return try NeighbourRoute.one(request, ["POST": .unarchive(id)])
        default: throw .unknown
        }
    }
}
