import HTTP
import JSON
import Postgres

/// Annotations of an entry.
extension Wallabag {
    func annotations(of number: Int) throws -> Response {
        try Self.json(
            try caller.read([
                """
                select json_build_object('total', count(h.id), 'rows', coalesce(
                    json_agg(\(WallabagAnnotation.object) order by h.created_at, h.id) filter (where h.id is not null),
                    '[]'))
                from public.links l left join (\(WallabagAnnotation.source)) on h.link_id = l.id
                where l.id = rest.numbered_link(\(number)::integer) group by l.id
                """
            ])[0])
    }

    func annotate(_ number: Int, _ parameters: Parameters) throws -> Response {
        guard let quote = try parameters.nonEmpty("quote") else { throw NeighbourError.missing("quote") }
        let ranges = parameters["ranges"] ?? .array([])
        guard let list = ranges.array else { throw NeighbourError.badParameter("ranges", "a list") }
        let note = try parameters.nonEmpty("text")
        let offsets = WallabagAnnotation.offsets(list)
        let link = try link(number)
        let made = try caller.write([
            """
            with made as (
                insert into public.highlights (link_id, quote, note, start_offset, end_offset)
                    values (\(link)::uuid, \(quote), \(note), \(offsets?.start)::integer, \(offsets?.end)::integer)
                    returning id, user_id
            ), ranged as (
                insert into rest.annotation_ranges (highlight_id, user_id, ranges)
                    select id, user_id, \(String(decoding: ranges.bytes, as: UTF8.self))::jsonb from made
            )
            select id from made
            """
        ])[0]
        guard made.count > 0, let id = made.text(0, 0) else { throw NeighbourError.notFound }
        return try Self.json(try caller.read([Self.statement(of: id)])[0])
    }

    /// Changes the text of an annotation, and whatever else is given.
    func changeAnnotation(_ number: Int, _ parameters: Parameters) throws -> Response {
        let quote = try parameters.nonEmpty("quote")
        let note = try parameters.text("text")
        let ranges = parameters["ranges"]
        guard ranges == nil || ranges?.array != nil else { throw NeighbourError.badParameter("ranges", "a list") }
        let id = try row("highlight", number)
        var statements: [SQL] = []
        if let note {
            statements.append("update public.highlights set note = nullif(\(note), '') where id = \(id)::uuid")
        }
        if let quote {
            let offsets = WallabagAnnotation.offsets(ranges?.array ?? [])
            statements.append(
                """
                update public.highlights set quote = \(quote), start_offset = \(offsets?.start)::integer,
                    end_offset = \(offsets?.end)::integer, prefix = null, suffix = null
                where id = \(id)::uuid
                """)
        }
        if let ranges {
            statements.append(
                """
                insert into rest.annotation_ranges (highlight_id, user_id, ranges)
                    select id, user_id, \(String(decoding: ranges.bytes, as: UTF8.self))::jsonb from public.highlights
                    where id = \(id)::uuid
                    on conflict (highlight_id) do update set ranges = excluded.ranges
                """)
        }
        let results = try caller.write(statements + [Self.statement(of: id)])
        return try Self.json(results[statements.count])
    }

    /// Deletes an annotation. The answer has what it was.
    func deleteAnnotation(_ number: Int) throws -> Response {
        let id = try row("highlight", number)
        return try Self.json(
            try caller.write([Self.statement(of: id), "delete from public.highlights where id = \(id)::uuid"])[0])
    }

    private static func statement(of highlight: String) -> SQL {
        "select \(WallabagAnnotation.object) from \(WallabagAnnotation.source) where h.id = \(highlight)::uuid"
    }
}
