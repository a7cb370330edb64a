import HTTP

/// The routes of wallabag's API, each with and without `.json`. Numbers are integer ids.
public enum WallabagRoute: Equatable, Sendable {
    case token, version, info
    case user, config
    case entries, createEntry, exists
    case createEntries, deleteEntries, addTagsToEntries, removeTagsFromEntries
    case entry(Int), changeEntry(Int), deleteEntry(Int), reload(Int)
    case export(Int, WallabagExport)
    case entryTags(Int), addTags(Int), removeTag(entry: Int, tag: Int)
    case tags, deleteTag(Int), deleteLabel, deleteLabels
    case annotations(entry: Int), annotate(entry: Int), changeAnnotation(Int), deleteAnnotation(Int)
    case search

    public var kind: NeighbourRoute.Kind {
        switch self {
        case .token, .version, .info: .open
        case .user, .config, .entries, .exists, .entry, .export, .entryTags, .tags, .annotations, .search: .read
        case .createEntry, .createEntries: .save
        default: .write
        }
    }

    /// Texts are indexed later than they are written, so searches change by themselves, and books have tags of their own.
    var isTagged: Bool {
        switch self {
        case .entries, .entry, .entryTags, .tags, .annotations: true
        default: false
        }
    }

    init(_ segments: [String], _ request: Request) throws(NeighbourRoute.Failure) {
        guard segments != ["oauth", "v2", "token"] else {
            self = try NeighbourRoute.one(request, ["POST": .token, "GET": .token])
            return
        }
        guard segments.first == "api" else { throw .unknown }
        var path = Array(segments.dropFirst())
        if let last = path.last, last.hasSuffix(".json") { path[path.count - 1] = String(last.dropLast(5)) }
        switch path.first {
        case "entries": self = try Self.entries(Array(path.dropFirst()), request)
        case "tags", "tag": self = try Self.tags(path, request)
        case "annotations": self = try Self.annotations(Array(path.dropFirst()), request)
        default: self = try Self.single(path, request)
        }
    }

    private static func single(_ path: [String], _ request: Request) throws(NeighbourRoute.Failure) -> Self {
        switch path {
        case ["version"]: try NeighbourRoute.one(request, ["GET": .version])
        case ["info"]: try NeighbourRoute.one(request, ["GET": .info])
        case ["user"]: try NeighbourRoute.one(request, ["GET": .user])
        case ["config"]: try NeighbourRoute.one(request, ["GET": .config])
        case ["search"]: try NeighbourRoute.one(request, ["GET": .search])
        default: throw .unknown
        }
    }

    private static func entries(_ path: [String], _ request: Request) throws(NeighbourRoute.Failure) -> Self {
        switch path {
        case []: return try NeighbourRoute.one(request, ["GET": .entries, "POST": .createEntry])
        case ["exists"]: return try NeighbourRoute.one(request, ["GET": .exists])
        case ["lists"], ["list"]:
            return try NeighbourRoute.one(request, ["POST": .createEntries, "DELETE": .deleteEntries])
        case ["tags", "lists"], ["tags", "list"]:
            return try NeighbourRoute.one(request, ["POST": .addTagsToEntries, "DELETE": .removeTagsFromEntries])
        default: break
        }
        let id = try NeighbourRoute.number(path[0])
        switch (path.count, path.dropFirst().first) {
        case (1, _):
            return try NeighbourRoute.one(
                request, ["GET": .entry(id), "PATCH": .changeEntry(id), "DELETE": .deleteEntry(id)])
        case (2, "reload"): return try NeighbourRoute.one(request, ["PATCH": .reload(id)])
        case (2, "tags"): return try NeighbourRoute.one(request, ["GET": .entryTags(id), "POST": .addTags(id)])
        case (3, "tags"):
            return try NeighbourRoute.one(
                request, ["DELETE": .removeTag(entry: id, tag: try NeighbourRoute.number(path[2]))])
        // What is left of export.json.
        case (2, "export"): return try NeighbourRoute.one(request, ["GET": .export(id, .json)])
        case (2, let file?) where file.hasPrefix("export."):
            guard let format = WallabagExport(rawValue: String(file.dropFirst(7))) else { throw .unknown }
            return try NeighbourRoute.one(request, ["GET": .export(id, format)])
        default: throw .unknown
        }
    }

    private static func tags(_ path: [String], _ request: Request) throws(NeighbourRoute.Failure) -> Self {
        switch path {
        case ["tags"]: try NeighbourRoute.one(request, ["GET": .tags])
        case ["tag", "label"]: try NeighbourRoute.one(request, ["DELETE": .deleteLabel])
        case ["tags", "label"]: try NeighbourRoute.one(request, ["DELETE": .deleteLabels])
        case let path where path.count == 2 && path[0] == "tags":
            try NeighbourRoute.one(request, ["DELETE": .deleteTag(try NeighbourRoute.number(path[1]))])
        default: throw .unknown
        }
    }

    private static func annotations(_ path: [String], _ request: Request) throws(NeighbourRoute.Failure) -> Self {
        guard path.count == 1 else { throw .unknown }
        let id = try NeighbourRoute.number(path[0])
        return try NeighbourRoute.one(
            request,
            [
                "GET": .annotations(entry: id), "POST": .annotate(entry: id), "PUT": .changeAnnotation(id),
                "DELETE": .deleteAnnotation(id),
            ])
    }
}

/// A format in which an entry can be fetched.
public enum WallabagExport: String, Sendable {
    case epub, html, json, md, txt
}
