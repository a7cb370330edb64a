import Clippings
import Highlights
import JSON
import Postgres

/// Adds the passages of books to the articles of a user, with the role and the claims of the user.
struct ClippingsImport {
    private let identity: Identity

    /// Characters of the longest quote and of the longest note that are stored.
    private static let maxLength = 20_000
    private static let defaultColor = "yellow"

    /// - Parameter owner: id of the user.
    init(owner: String) {
        let claims = JSONText.object([
            ("sub", JSONText.string(owner)), ("role", JSONText.string("authenticated")),
        ])
        identity = Identity(
            role: "authenticated", claims: claims, statementTimeout: 60_000, applicationName: "lectern",
            lock: "rest.lock_writes()")
    }

    /// Each article is a transaction of its own, so that an import that was interrupted can be repeated.
    func add(_ books: [ClippedBook]) throws -> ClippingsResult {
        var connection = try AdminDatabase.connection()
        var result = ClippingsResult()
        for book in books {
            let links = try AdminDatabase.describingErrors { try self.links(of: book, &connection) }
            var rest = book.clippings
            for link in links where !rest.isEmpty {
                rest = try AdminDatabase.describingErrors { try add(rest, of: book, to: link, &connection, &result) }
            }
            let reason = links.isEmpty ? "no article has this title" : "the text is not in the article"
            for clipping in rest { result.rejects.append(.init(book.title, clipping.quote, reason)) }
        }
        return result
    }

    /// The links with articles that a book may be of: those with its id, or with its title.
    private func links(of book: ClippedBook, _ connection: inout Connection) throws(PostgresError) -> [String] {
        let byID: SQL = """
            select l.id, 1 as place from public.links l where l.id = \(book.id)::uuid
            union all
            select member.id, member.place::int
            from public.books b, unnest(b.link_ids) with ordinality as member (id, place) where b.id = \(book.id)::uuid
            """
        var conditions: [SQL] = book.id == nil ? [] : [byID]
        for title in [book.heading, book.title] {
            guard let title, !title.isEmpty else { continue }
            conditions.append(
                """
                select l.id, 0 as place from public.links l
                where \(title) in (l.title, rest.display_text(l.title, l.title_is_text))
                union all
                select member.id, member.place::int
                from public.books b, unnest(b.link_ids) with ordinality as member (id, place)
                where b.title = \(title)
                """)
        }
        for condition in conditions {
            let rows = try connection.transaction(
                as: identity,
                [
                    "select a.link_id from (" + condition
                        + ") as found join public.articles a on a.link_id = found.id "
                        + "group by a.link_id order by min(found.place), a.link_id"
                ])[0]
            if rows.count > 0 { return (0..<rows.count).compactMap { rows.text($0, 0) } }
        }
        return []
    }

    /// - Returns: the passages that the article does not have.
    private func add(
        _ clippings: [Clipping], of book: ClippedBook, to link: String, _ connection: inout Connection,
        _ result: inout ClippingsResult
    ) throws(PostgresError) -> [Clipping] {
        let read = try connection.transaction(
            as: identity,
            [
                "select text_content from public.articles where link_id = \(link)::uuid",
                "select quote from public.highlights where link_id = \(link)::uuid",
            ])
        guard read[0].count > 0, let text = read[0].text(0, 0) else { return clippings }
        var known = Set((0..<read[1].count).map { Self.withoutBlanks(read[1].text($0, 0) ?? "") })
        let relocation = HighlightRelocation(text: text)
        let places = relocation.places(of: clippings.map { Highlight(id: "", quote: $0.quote) })
        var (rows, rest): ([JSON], [Clipping]) = ([], [])
        for (clipping, place) in zip(clippings, places) {
            guard let place, !place.isEmpty else {
                rest.append(clipping)
                continue
            }
            let passage = relocation.passage(at: place)
            if passage.quote.unicodeScalars.count > Self.maxLength {
                result.rejects.append(.init(book.title, clipping.quote, "a highlight has at most 20,000 characters"))
            } else if known.insert(Self.withoutBlanks(passage.quote)).inserted {
                rows.append(Self.row(clipping, passage, place, link))
            } else {
                result.known += 1
            }
        }
        guard !rows.isEmpty else { return rest }
        let values = String(decoding: JSON.array(rows).bytes, as: UTF8.self)
        _ = try connection.transaction(
            as: identity,
            [
                """
                insert into public.highlights (
                    user_id, link_id, quote, prefix, suffix, start_offset, end_offset, note, color)
                select auth.uid(), link_id, quote, prefix, suffix, start_offset, end_offset, note, color
                from jsonb_to_recordset(\(values)::jsonb) as row (
                    link_id uuid, quote text, prefix text, suffix text, start_offset int, end_offset int, note text,
                    color text)
                """
            ])
        result.added += rows.count
        return rest
    }

    private static func row(
        _ clipping: Clipping, _ passage: FoundPassage, _ place: Range<Int>, _ link: String
    ) -> JSON {
        let scalars = clipping.note.unicodeScalars.filter { $0 != "\0" }.prefix(maxLength)
        let note = String(String.UnicodeScalarView(scalars))
        return .object([
            .init("link_id", .string(link)), .init("quote", .string(passage.quote)),
            .init("prefix", .string(passage.prefix)), .init("suffix", .string(passage.suffix)),
            .init("start_offset", .number(Double(place.lowerBound))),
            .init("end_offset", .number(Double(place.upperBound))),
            .init("note", note.isEmpty ? .null : .string(note)),
            .init("color", .string(clipping.color ?? defaultColor)),
        ])
    }

    /// Two highlights with the same words are one, whatever their white space.
    private static func withoutBlanks(_ text: String) -> String { text.filter { !$0.isWhitespace } }
}
