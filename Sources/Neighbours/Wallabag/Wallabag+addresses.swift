import HTTP
import JSON
import Postgres

/// Routes that name entries by their addresses.
extension Wallabag {
    /// Addresses in one request.
    private static let maximumAddresses = 1_000

    /// Whether pages are saved, by their addresses or by the SHA-1 of these.
    func exists(_ parameters: Parameters) throws -> Response {
        let wantsIDs = try parameters.flag("return_id") ?? false
        var addresses = try Self.texts(parameters, "urls")
        var hashes = try Self.texts(parameters, "hashed_urls")
        let url = try parameters.nonEmpty("url")
        let hash = try parameters.nonEmpty("hashed_url")?.lowercased()
        if let url { addresses = [url] }
        if let hash { (hashes, addresses) = ([hash], []) }
        guard !addresses.isEmpty || !hashes.isEmpty else { throw NeighbourError.missing("url") }
        guard addresses.count + hashes.count <= Self.maximumAddresses else {
            throw NeighbourError.badParameter("urls", "at most \(Self.maximumAddresses) addresses")
        }
        var numbers = try numbers(ofAddresses: addresses)
        numbers.merge(try self.numbers(ofHashes: hashes)) { first, _ in first }
        func value(_ name: String) -> String {
            guard wantsIDs else { return numbers[name] == nil ? "false" : "true" }
            return numbers[name].map(String.init) ?? "null"
        }
        if let only = hash ?? url { return Self.response(#"{"exists":\#(value(only))}"#) }
        var seen: Set<String> = []
        let members = (addresses + hashes).filter { seen.insert($0).inserted }.map { ($0, value($0)) }
        return Self.response(JSONText.object(members))
    }

    private static func texts(_ parameters: Parameters, _ name: String) throws(NeighbourError) -> [String] {
        guard let items = parameters[name] else { return [] }
        guard let array = items.array else { throw .badParameter(name, "a list") }
        return array.compactMap(\.string)
    }

    private func numbers(ofAddresses addresses: [String]) throws -> [String: Int] {
        guard !addresses.isEmpty else { return [:] }
        let rows = try caller.read([
            """
            select given.url, n.number
            from unnest(\(array: addresses)::text[]) as given (url)
                join rest.integer_ids n on n.user_id = (select auth.uid()) and n.kind = 'link'
                    and n.row_id = rest.link_of_url((select auth.uid()), given.url)
            """
        ])[0]
        return Dictionary(
            (0..<rows.count).map { (rows.text($0, 0) ?? "", rows.int($0, 1) ?? 0) },
            uniquingKeysWith: { first, _ in first })
    }

    // MARK: - Several entries

    func createAll(_ parameters: Parameters) throws -> Response {
        let addresses = try Self.list(parameters, "urls").map { try Self.text(of: $0, "urls") }
        guard !addresses.isEmpty else { return Self.response("[]") }
        _ = try caller.save([
            """
            select saved.id from unnest(\(array: addresses)::text[]) with ordinality as given (url, place)
                cross join lateral rest.save_for_neighbour(given.url, '{}', null, '{}', null) as saved
            """
        ])
        let numbers = try numbers(ofAddresses: addresses)
        return Self.results(addresses) { numbers[$0].map(String.init) ?? "false" }
    }

    func deleteAll(_ parameters: Parameters) throws -> Response {
        let addresses = try Self.list(parameters, "urls").map { try Self.text(of: $0, "urls") }
        guard !addresses.isEmpty else { return Self.response("[]") }
        let rows = try caller.write([
            """
            with found as (
                select given.url, rest.link_of_url((select auth.uid()), given.url) as id
                from unnest(\(array: addresses)::text[]) as given (url)
            ), deleted as (delete from public.links where id in (select id from found) returning id)
            select url from found where id in (select id from deleted)
            """
        ])[0]
        let deleted = Set((0..<rows.count).compactMap { rows.text($0, 0) })
        return Self.results(addresses) { deleted.contains($0) ? "true" : "false" }
    }

    /// Adds tags to entries, or removes them.
    func changeTags(_ parameters: Parameters, isAdding: Bool) throws -> Response {
        let wanted = try Self.list(parameters, "list").map { item in
            guard let url = item["url"]?.string else { throw NeighbourError.badParameter("list", "a list of entries") }
            let tags = (item["tags"]?.string ?? "").split(separator: ",").map { String($0).trimmed }
            return (url: url, tags: tags.filter { !$0.isEmpty })
        }
        guard !wanted.isEmpty else { return Self.response("[]") }
        let numbers = try numbers(ofAddresses: wanted.map(\.url))
        _ = try caller.write(
            wanted.filter { !$0.tags.isEmpty }.map { entry in
                let link: SQL = "rest.link_of_url((select auth.uid()), \(entry.url))"
                return isAdding
                    ? "select rest.add_tags(id, \(array: entry.tags)::text[]) from public.links where id = \(link)"
                    : """
                    delete from public.link_tags where link_id = \(link) and tag_id in (
                        select id from public.tags
                        where lower(name) = any (array(select lower(unnest(\(array: entry.tags)::text[])))))
                    """
            } + ["select 1"])
        return Self.results(wanted.map(\.url)) { numbers[$0].map(String.init) ?? "false" }
    }

    /// The items of a list, which clients send as a JSON text in a parameter.
    private static func list(_ parameters: Parameters, _ name: String) throws(NeighbourError) -> [JSON] {
        guard let value = parameters[name] else { return [] }
        guard let items = value.array ?? value.string.flatMap({ JSON(parsing: $0.utf8)?.array }),
            items.count <= 100
        else { throw .badParameter(name, "a JSON array of at most 100 entries") }
        return items
    }

    private static func text(of item: JSON, _ name: String) throws(NeighbourError) -> String {
        guard let url = item.string ?? item["url"]?.string else {
            throw .badParameter(name, "a JSON array of addresses")
        }
        return url
    }

    private static func results(_ addresses: [String], _ entry: (String) -> String) -> Response {
        response(
            "["
                + addresses.map { JSONText.object([("url", JSONText.string($0)), ("entry", entry($0))]) }
                .joined(separator: ",") + "]")
    }
}
