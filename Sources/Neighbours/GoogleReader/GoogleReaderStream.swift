import Postgres

/// A stream of the Google Reader API: which links it has.
enum GoogleReaderStream: Equatable {
    case all, starred, read, unread
    /// One of the two lists, as a subscription.
    case list(String)
    case label(String)

    static let lists = [("read", "To Read"), ("archive", "Archive")]

    /// The folder of both subscriptions, as some clients expect that each is in one. It has all links, unless the user has
    /// a tag of this name.
    static let folder = "Lectern"

    /// The id of the stream with all links.
    static let everything = "user/-/state/com.google/reading-list"

    /// Nil for a text that names none. The name of the user in it is not looked at.
    init?(_ id: String) {
        let parts = id.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        switch (parts.first, parts.count) {
        case ("reading-list", 1): self = .all
        case ("feed", 2):
            guard Self.lists.contains(where: { $0.0 == parts[1] }) else { return nil }
            self = .list(parts[1])
        case ("user", 5...) where parts[2] == "state" && parts[3] == "com.google" && parts.count == 5:
            switch parts[4] {
            case "reading-list": self = .all
            case "starred": self = .starred
            case "read": self = .read
            case "kept-unread", "unread", "fresh": self = .unread
            default: return nil
            }
        case ("user", 4...) where parts[2] == "label":
            self = .label(parts[3...].joined(separator: "/"))
        default: return nil
        }
    }

    /// Whether an id in a change names nothing here: it is empty, or a state of Google's that only other services have.
    static func isWithoutMeaning(_ id: String) -> Bool {
        id.isEmpty || GoogleReaderStream(id) == nil && id.hasPrefix("user/") && id.contains("/state/com.google/")
    }

    /// Whether a link `l` is in the stream.
    var condition: SQL {
        switch self {
        case .all: "true"
        case .starred: "l.is_starred"
        case .read: "l.status = 'read'"
        case .unread: "l.status = 'unread'"
        case .list(let list): "l.list = \(list)"
        case .label(Self.folder):
            """
            (not exists (select from public.tags where user_id = (select auth.uid()) and name = \(Self.folder))
                or exists (select from public.link_tags lt join public.tags t on t.id = lt.tag_id
                    where lt.link_id = l.id and t.name = \(Self.folder)))
            """
        case .label(let label):
            """
            exists (select from public.link_tags lt join public.tags t on t.id = lt.tag_id
                where lt.link_id = l.id and lower(t.name) = lower(\(label)))
            """
        }
    }

    var title: String {
        switch self {
        case .all: "Reading list"
        case .starred: "Starred"
        case .read: "Read"
        case .unread: "Unread"
        case .list(let list): Self.lists.first { $0.0 == list }?.1 ?? list
        case .label(let label): label
        }
    }
}
