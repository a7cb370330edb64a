import Postgres

/// Which entries a list has, and in which order.
struct WallabagFilter {
    /// The clause `where` on links `l`; empty for all.
    private(set) var condition = SQL()
    /// What the order needs beside the links; empty for most orders.
    let join: SQL
    let order: SQL
    let hasContent: Bool
    /// The parameters, as they appear in the addresses of pages.
    private(set) var query: [(String, String)] = []

    /// More tags than anybody filters by.
    private static let maximumTags = 50
    /// The end of the year 9999, in epoch seconds.
    private static let latest = 253_402_300_799

    init(_ parameters: Parameters) throws(NeighbourError) {
        var conditions: [SQL] = []
        for (name, column) in [
            ("archive", "l.list = 'archive'"), ("starred", "l.is_starred"), ("public", Self.isShared),
        ]
            as [(String, SQL)]
        {
            guard let flag = try parameters.flag(name) else { continue }
            conditions.append(flag ? column : "not (" + column + ")")
            query.append((name, flag ? "1" : "0"))
        }
        let sort = try Self.choice(parameters, "sort", ["created", "updated", "archived"], &query)
        join = sort == "updated" ? " left join public.articles made on made.link_id = l.id" : ""
        order = try Self.order(by: sort, parameters, &query)
        hasContent = try Self.choice(parameters, "detail", ["full", "metadata"], &query) == "full"
        let tags = try parameters.list("tags") ?? []
        guard tags.count <= Self.maximumTags else { throw .badParameter("tags", "at most \(Self.maximumTags) tags") }
        for tag in tags {
            conditions.append(
                """
                exists (
                    select from public.link_tags lt join public.tags t on t.id = lt.tag_id
                    where lt.link_id = l.id and lower(t.name) = lower(\(tag)))
                """)
        }
        query.append(("tags", tags.joined(separator: ",")))
        let since = try parameters.number("since", in: 0...Self.latest) ?? 0
        if since > 0 {
            // Two conditions that PostgreSQL evaluates once for all links.
            let time: SQL = "to_timestamp(\(since)::double precision)"
            conditions.append(
                """
                (l.updated_at >= \(time)
                    or l.id = any (array(select link_id from public.articles where extracted_at >= \(time))))
                """)
        }
        query.append(("since", String(since)))
        if let domain = try parameters.nonEmpty("domain_name") {
            conditions.append("l.domain = regexp_replace(lower(\(domain)), '^www\\.', '')")
            query.append(("domain_name", domain))
        }
        if !conditions.isEmpty { condition = " where " + conditions.joined(separator: " and ") }
    }

    private static let isShared: SQL = "exists (select from public.shares s where s.link_id = l.id)"

    private static func order(
        by sort: String, _ parameters: Parameters, _ query: inout [(String, String)]
    ) throws(NeighbourError) -> SQL {
        let isDescending = try choice(parameters, "order", ["desc", "asc"], &query) == "desc"
        let key: SQL =
            switch sort {
            case "updated": "greatest(l.updated_at, made.extracted_at)"
            case "archived": "l.archived_at"
            default: "l.created_at"
            }
        let direction: SQL = isDescending ? " desc" : " asc"
        return key + direction + (sort == "archived" ? " nulls last" : "") + ", l.id" + direction
    }

    /// One of the texts that a parameter may have; the first is the default.
    private static func choice(
        _ parameters: Parameters, _ name: String, _ choices: [String], _ query: inout [(String, String)]
    ) throws(NeighbourError) -> String {
        let choice = try parameters.nonEmpty(name)?.lowercased() ?? choices[0]
        guard choices.contains(choice) else {
            throw .badParameter(name, choices.map { "\"\($0)\"" }.joined(separator: " or "))
        }
        query.append((name, choice))
        return choice
    }
}
