import Postgres
import Search

/// The links that a feed or a page of books lists.
enum LinkList: Equatable, Sendable {
    enum Tag: Equatable, Sendable {
        case name(String)
        case id(RowID)
    }

    case unread, archive, starred, newest
    case tag(Tag)
    case collection(RowID)
    /// What the parameter `q` finds.
    case search

    /// The statement whose only row has the name of the list; nil if the name is known. Without a row the list does not
    /// exist.
    var nameStatement: SQL? {
        switch self {
        case .unread, .archive, .starred, .newest, .search: nil
        case .tag(.name(let name)):
            "select name from public.tags where user_id = auth.uid() and lower(name) = lower(\(name))"
        case .tag(.id(let id)): "select name from public.tags where user_id = auth.uid() and id = \(id.text)::uuid"
        case .collection(let id):
            "select name from public.collections where user_id = auth.uid() and id = \(id.text)::uuid"
        }
    }

    /// The query that finds the links, newest first.
    ///
    /// - Parameter name: of the tag.
    func query(name: String?) -> SearchQuery {
        let condition: SearchCondition? =
            switch self {
            case .unread: .all([.state(.unread), .not(.state(.archived))])
            case .archive: .state(.archived)
            case .starred: .state(.starred)
            case .tag: .tag(name ?? "")
            case .collection(let id): .collection(id.text)
            case .newest, .search: nil
            }
        return SearchQuery(condition, order: .newest)
    }

    /// - Parameter name: of the tag or collection.
    func title(name: String?) -> String {
        switch self {
        case .unread: "Unread"
        case .archive: "Archive"
        case .starred: "Starred"
        case .newest: "Newest"
        case .search: "Search"
        case .tag, .collection: name ?? ""
        }
    }

    /// A path that names the list among those of its user, whichever tokens there are.
    func identifier(name: String?, search: String) -> String {
        switch self {
        case .unread: "unread"
        case .archive: "archive"
        case .starred: "starred"
        case .newest: "newest"
        case .tag: "tag/" + (name ?? "")
        case .collection(let id): "collection/" + id.text
        case .search: "search/" + search
        }
    }

    /// Whether the list may change without any write of its user: by time, or because texts are indexed later.
    ///
    /// - Parameter hasSmartCollections: whether the user has collections that are filled by queries.
    func changesByItself(hasSmartCollections: Bool) -> Bool {
        switch self {
        case .unread, .archive, .starred, .newest, .tag: false
        case .collection: hasSmartCollections
        case .search: true
        }
    }
}
