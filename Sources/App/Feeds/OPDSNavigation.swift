import Feeds
import Postgres

/// The pages of the catalog that lead to others.
enum OPDSNavigation {
    case root, tags, collections

    var contentType: String { OPDSCatalog.Kind.navigation.type + ";charset=utf-8" }

    /// Bounds a page: a reader on an e-ink screen pages through it.
    private static let maximumSections = 2_000

    /// The rows of the page: id, title, number of links with an article.
    var statement: SQL? {
        switch self {
        case .root: nil
        case .tags:
            """
            select t.id, t.name, count(*) from public.tags t
                join public.link_tags lt on lt.tag_id = t.id join public.articles a on a.link_id = lt.link_id
            where t.user_id = auth.uid()
            group by t.id, t.name order by lower(t.name) collate "und-x-icu", t.id limit \(Self.maximumSections)::integer
            """
        // A collection inside another one is named with its path. The limit ends cycles.
        case .collections:
            """
            with recursive numbered as (
                select id, name, parent_id, row_number() over (partition by parent_id order by position, id) as n
                from public.collections where user_id = auth.uid()
            ), named as (
                select id, name, array[n] as place, 1 as depth from numbered where parent_id is null
                union all
                select c.id, named.name || ' / ' || c.name, named.place || c.n, depth + 1
                from numbered c join named on c.parent_id = named.id where depth < 10
            )
            select id, name, null::bigint from named order by place limit \(Self.maximumSections)::integer
            """
        }
    }

    /// - Parameters:
    ///   - rows: the result of the statement.
    ///   - user: the user's id.
    func catalog(_ rows: Rows?, user: String, _ addresses: OPDSAddresses) -> OPDSCatalog {
        let urn = "urn:lectern:\(user):catalog"
        switch self {
        case .root:
            return OPDSCatalog(
                id: urn, title: "Lectern", addresses: addresses.of(addresses.root, up: nil),
                content: .sections(Self.rootSections(urn, addresses.root)))
        case .tags, .collections:
            let path = self == .tags ? "tags" : "collections"
            return OPDSCatalog(
                id: urn + ":" + path, title: self == .tags ? "Tags" : "Collections",
                addresses: addresses.of(addresses.root + "/" + path, up: addresses.root),
                content: .sections(Self.sections(rows, urn + ":" + path, addresses.root + "/" + path)))
        }
    }

    private static func rootSections(_ urn: String, _ root: String) -> [OPDSSection] {
        let sections: [(path: String, title: String, summary: String, kind: OPDSCatalog.Kind)] = [
            ("unread", "Unread", "Articles that you have not read yet", .acquisition),
            ("newest", "Newest", "All articles, the newest first", .acquisition),
            ("starred", "Starred", "Articles with a star", .acquisition),
            ("archive", "Archive", "Articles in the archive", .acquisition),
            ("tags", "Tags", "Articles by tag", .navigation),
            ("collections", "Collections", "Articles by collection", .navigation),
            ("books", "Books", "Books of several articles", .acquisition),
        ]
        return sections.map {
            OPDSSection(
                id: urn + ":" + $0.path, title: $0.title, summary: $0.summary, address: root + "/" + $0.path,
                kind: $0.kind, isNewest: $0.path == "newest")
        }
    }

    private static func sections(_ rows: Rows?, _ urn: String, _ address: String) -> [OPDSSection] {
        guard let rows else { return [] }
        return (0..<rows.count).map { row in
            let id = rows.text(row, 0) ?? ""
            let count = rows.int(row, 2)
            return OPDSSection(
                id: urn + ":" + id, title: rows.text(row, 1) ?? "",
                summary: count.map { $0 == 1 ? "1 article" : "\($0) articles" } ?? "Articles of this collection",
                address: address + "/" + id, kind: .acquisition, count: count)
        }
    }
}
