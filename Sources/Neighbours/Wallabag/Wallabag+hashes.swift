import Crypto
import JSON
import Postgres
import Text

/// Links by the SHA-1 of their addresses. PostgreSQL has no SHA-1: the first questions hash all addresses and store the
/// hashes, later ones hash only those that are new.
extension Wallabag {
    /// Hashes that one request stores: as many as take a quarter of a second.
    private static let storedAtOnce = 5_000

    /// The numbers of the links that have an address with one of these hashes, by the hash in lower case.
    func numbers(ofHashes hashes: [String]) throws -> [String: Int] {
        var wanted: [[UInt8]: String] = [:]
        for hash in hashes {
            if let digest = Self.digest(hash) { wanted[digest] = hash.lowercased() }
        }
        guard !wanted.isEmpty else { return [:] }
        let results = try caller.read([Self.linksWithHashes(Array(wanted.values)), Self.linksWithoutHashes])
        var numbers: [String: Int] = [:]
        for row in 0..<results[0].count {
            guard let hash = results[0].text(row, 0) else { continue }
            numbers[hash] = results[0].int(row, 1)
        }
        let links = results[1]
        guard links.count > 0 else { return numbers }
        for row in 0..<links.count {
            for column in 1...2 {
                guard let address = links.bytes(row, column), let hash = wanted[Digest.sha1(address)] else { continue }
                numbers[hash] = links.int(row, 0)
            }
        }
        if !caller.onlyReads { store((0..<min(links.count, Self.storedAtOnce)).map { HashedLink(links, $0) }) }
        return numbers
    }

    private static func linksWithHashes(_ hashes: [String]) -> SQL {
        """
        with found as (
            select n.url_hash as hash, n.number, n.row_id from rest.integer_ids n
            where n.user_id = (select auth.uid())
                and n.url_hash = any (array(select decode(unnest(\(array: hashes)::text[]), 'hex')))
            union all
            select n.resolved_url_hash, n.number, n.row_id from rest.integer_ids n
            where n.user_id = (select auth.uid())
                and n.resolved_url_hash = any (array(select decode(unnest(\(array: hashes)::text[]), 'hex')))
        )
        select encode(hash, 'hex'), number from found where exists (select from public.links l where l.id = row_id)
        """
    }

    private static let linksWithoutHashes: SQL = """
        select n.number, l.raw_url, l.resolved_url
        from rest.integer_ids n left join public.links l on l.id = n.row_id and l.user_id = n.user_id
        where n.user_id = (select auth.uid()) and n.kind = 'link' and n.url_hash is null
        """

    /// Keeps hashes for later questions. The answer does not depend on it.
    private func store(_ links: [HashedLink]) {
        let hashed = "[" + links.map(\.json).joined(separator: ",") + "]"
        _ = try? caller.write(["select rest.store_url_hashes(\(hashed)::jsonb)"])
    }

    /// The bytes of a SHA-1 in hexadecimal; nil for another text.
    private static func digest(_ hash: String) -> [UInt8]? {
        let digits = Array(hash.utf8)
        guard digits.count == 40 else { return nil }
        let bytes = stride(from: 0, to: 40, by: 2).compactMap { UInt8(hexadecimal: digits[$0], digits[$0 + 1]) }
        return bytes.count == 20 ? bytes : nil
    }
}

/// A link whose addresses are hashed here.
private struct HashedLink {
    let number: Int
    let rawURL: String?
    let resolvedURL: String?
    let urlHash: String?
    /// Nil where the page's address is the saved one.
    let resolvedURLHash: String?

    init(_ rows: Rows, _ row: Int) {
        number = rows.int(row, 0) ?? 0
        rawURL = rows.text(row, 1)
        resolvedURL = rows.text(row, 2)
        urlHash = rawURL.map(WallabagEntry.hash)
        resolvedURLHash = resolvedURL == rawURL ? nil : resolvedURL.map(WallabagEntry.hash)
    }

    var json: String {
        JSONText.object([
            ("number", String(number)), ("raw_url", JSONText.string(rawURL)),
            ("resolved_url", JSONText.string(resolvedURL)), ("url_hash", JSONText.string(urlHash)),
            ("resolved_url_hash", JSONText.string(resolvedURLHash)),
        ])
    }
}
