import HTTP
import JSON
import Postgres

/// Annotations of an entry.
extension Wallabag {
    func annotations(of number: Int) throws -> Response {
        let rows = try caller.read([
            """
            select json_agg(\(WallabagAnnotation.row) order by h.created_at, h.id) filter (where h.id is not null)
            from public.links l left join (\(WallabagAnnotation.source)) on h.link_id = l.id
            where l.id = rest.numbered_link(\(number)::integer) group by l.id
            """
        ])[0]
        guard rows.count > 0 else { throw NeighbourError.notFound }
        let annotations = try WallabagAnnotation.list(rows.bytes(0, 0))
        return Self.response(
            JSONText.object([
                ("total", String(annotations.count)), ("rows", try ranges(of: annotations).json(annotations)),
            ]))
    }

    func annotate(_ number: Int, _ parameters: Parameters) throws -> Response {
        guard let quote = try parameters.nonEmpty("quote") else { throw NeighbourError.missing("quote") }
        let ranges = parameters["ranges"] ?? .array([])
        guard let list = ranges.array else { throw NeighbourError.badParameter("ranges", "a list") }
        let note = try parameters.nonEmpty("text")
        let link = try link(number)
        let passage = try passage(list, quote, in: "\(link)::uuid")
        let made = try caller.write([
            """
            with made as (
                insert into public.highlights (link_id, quote, note, start_offset, end_offset, prefix, suffix)
                    values (\(link)::uuid, \(quote), \(note), \(passage?.range.lowerBound)::integer,
                        \(passage?.range.upperBound)::integer, \(passage?.prefix), \(passage?.suffix))
                    returning id, user_id
            ), ranged as (
                insert into rest.annotation_ranges (highlight_id, user_id, ranges)
                    select id, user_id, \(String(decoding: ranges.bytes, as: UTF8.self))::jsonb from made
            )
            select id from made
            """
        ])[0]
        guard made.count > 0, let id = made.text(0, 0) else { throw NeighbourError.notFound }
        return try response(try caller.read([Self.statement(of: id)])[0])
    }

    /// The passage of the article of a link that ranges lead to.
    private func passage(_ ranges: [JSON], _ quote: String, in link: SQL) throws -> AnnotatedContent.Passage? {
        guard let ends = WallabagAnnotation.ends(ranges) else { return nil }
        let rows = try caller.read(["select content, text_content from public.articles where link_id = " + link])[0]
        guard rows.count > 0, let content = rows.text(0, 0) else { return nil }
        return AnnotatedContent(content, plain: rows.text(0, 1) ?? "")?.passage(
            from: ends.start, to: ends.end, quote: quote)
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
            let passage = try passage(
                ranges?.array ?? [], quote, in: "(select link_id from public.highlights where id = \(id)::uuid)")
            statements.append(
                """
                update public.highlights set quote = \(quote), start_offset = \(passage?.range.lowerBound)::integer,
                    end_offset = \(passage?.range.upperBound)::integer, prefix = \(passage?.prefix),
                    suffix = \(passage?.suffix)
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
        return try response(results[statements.count])
    }

    /// Deletes an annotation. The answer has what it was.
    func deleteAnnotation(_ number: Int) throws -> Response {
        let id = try row("highlight", number)
        return try response(
            try caller.write([Self.statement(of: id), "delete from public.highlights where id = \(id)::uuid"])[0])
    }

    /// The only annotation.
    private func response(_ rows: Rows) throws -> Response {
        guard rows.count > 0, let annotation = try WallabagAnnotation.list(rows.bytes(0, 0)).first else {
            throw NeighbourError.notFound
        }
        return Self.response(try ranges(of: [annotation]).json(annotation))
    }

    private static func statement(of highlight: String) -> SQL {
        "select json_build_array(\(WallabagAnnotation.row)) from \(WallabagAnnotation.source) where h.id = \(highlight)::uuid"
    }
}
