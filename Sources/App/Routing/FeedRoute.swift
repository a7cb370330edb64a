/// A path below `/feed/t/<feed token>/`: a list of links for feed readers.
public struct FeedRoute: Equatable, Sendable {
    public enum Format: String, CaseIterable, Sendable {
        case atom, json
    }

    /// The personal API token in the path.
    public let token: String
    let list: LinkList
    let format: Format

    /// Nil if the segments behind `/feed/` name no feed.
    ///
    /// - Parameter segments: percent-decoded, so that a name may contain slashes.
    init?(_ segments: [String]) {
        guard segments.count >= 3, segments[0] == "t", let last = segments.last,
            let format = Format.allCases.first(where: { last.hasSuffix("." + $0.rawValue) })
        else { return nil }
        let name = String(last.dropLast(format.rawValue.count + 1))
        switch (segments.count, segments[2]) {
        case (3, _):
            switch name {
            case "unread": list = .unread
            case "archive": list = .archive
            case "starred": list = .starred
            case "search": list = .search
            default: return nil
            }
        case (4, "tag") where !name.isEmpty: list = .tag(.name(name))
        case (4, "collection"):
            guard let id = RowID(name) else { return nil }
            list = .collection(id)
        default: return nil
        }
        token = segments[1]
        self.format = format
    }
}
