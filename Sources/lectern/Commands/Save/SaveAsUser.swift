import JSON
import Postgres

/// Saves links with the role and the claims of their owner, by the functions that serve the API.
struct SaveAsUser {
    private let identity: Identity
    private let owner: String
    private let list: String?
    private let tags: [String]
    private let html: String?

    /// - Parameters:
    ///   - owner: id of the user.
    ///   - list: nil leaves a link that exists where it is.
    ///   - html: the page as a client sees it.
    init(_ owner: String, list: String?, tags: [String], html: String?) {
        let claims = JSONText.object([
            ("sub", JSONText.string(owner)), ("role", JSONText.string("authenticated")),
        ])
        identity = Identity(
            role: "authenticated", claims: claims, statementTimeout: 60_000, applicationName: "lectern",
            lock: "rest.lock_writes()")
        self.owner = owner
        self.list = list
        self.tags = tags
        self.html = html
    }

    func callAsFunction(_ url: String, over connection: inout Connection) throws(PostgresError) -> SavedLink {
        var attempt = 1
        while true {
            do throws(PostgresError) {
                let rows = try connection.transaction(as: identity, statements(url))
                guard let known = rows.first, let saved = rows.last, let id = saved.text(0, 0),
                    let list = saved.text(0, 1), let state = saved.text(0, 2)
                else { throw PostgresError.broken(reason: "the statement that saves a link returned no row") }
                return SavedLink(url: url, id: id, isNew: known.text(0, 0) == nil, list: list, state: state)
            } catch  where isConcurrentSave(error) && attempt < 5 {
                // Another request has saved the page in the meantime; the next attempt finds it.
                attempt += 1
            }
        }
    }

    /// The last returns id, list and state of the link.
    private func statements(_ url: String) -> [SQL] {
        let known: SQL = "select rest.link_of_url(\(owner)::uuid, \(url))"
        if let html {
            return [
                known,
                """
                select id, list, state from public.save_page(
                    \(url), \(html), tags => \(array: tags)::text[], list => \(list))
                """,
            ]
        }
        var members = [("raw_url", JSONText.string(url))]
        if let list { members.append(("list", JSONText.string(list))) }
        return [
            known,
            """
            select (page.saved).id, (page.saved).list, (page.saved).state,
                rest.add_tags((page.saved).id, \(array: tags)::text[])
            from rest.save_links(
                \(JSONText.object(members))::jsonb, \(array: members.map(\.0))::text[], 'merge-duplicates',
                '{user_id,raw_url}', false) as page
            """,
        ]
    }

    private func isConcurrentSave(_ error: PostgresError) -> Bool {
        guard case .refused(let refusal) = error else { return false }
        return refusal.sqlState == "23505" && refusal.constraint == "links_user_id_dedupe_key"
    }
}
