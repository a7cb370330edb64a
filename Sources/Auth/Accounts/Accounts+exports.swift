import ExportFormats
import FoundationEssentials
import HTTP
import JSON
import Postgres

/// Exports of a user's data as a file. The jobs process writes the file; these endpoints request and serve it.
extension Accounts {
    /// `POST /exports` `{format?, query?}`: requests an export. A user can have one pending export.
    ///
    /// - Parameter parse: the tree of a search query, as JSON.
    public func startExport(
        _ caller: Caller, _ body: [UInt8], parse: (String) throws -> String
    ) throws -> Response {
        let form: ExportForm = body.isEmpty ? ExportForm() : try form(body)
        let (user, _) = try checkedIdentity(caller)
        let format = try exportFormat(form)
        let query = form.query.flatMap { $0.isEmpty ? nil : $0 }
        let tree = try query.map(parse)
        try checkAttempt("export \(user)", free: 10, maxDelay: "1 hour")
        let rows = try run([
            """
            insert into private.exports (user_id, format, query, tree)
            values (\(user)::uuid, \(format.rawValue), \(query), \(tree)::jsonb) on conflict do nothing returning id
            """
        ])[0]
        guard rows.count == 1, let id = rows.text(0, 0) else {
            throw AuthError.conflict("An export is already in progress")
        }
        var response = try export(caller, id)
        response.status = 202
        return response
    }

    private struct ExportForm: Decodable {
        var format: String?
        var query: String?
    }

    private func exportFormat(_ form: ExportForm) throws(AuthError) -> ExportFormat {
        guard let name = form.format else { return .zip }
        guard let format = ExportFormat(rawValue: name) else {
            throw .validationFailed("format is not one of \(ExportFormat.names)")
        }
        return format
    }

    /// `GET /exports`: the exports that have not expired, newest first.
    public func exports(_ caller: Caller) throws -> Response {
        let (user, _) = try checkedIdentity(caller)
        return Response(
            status: 200, json: "[" + (try descriptions(where: "user_id = \(user)::uuid")).joined(separator: ",") + "]")
    }

    /// `GET /exports/<id>`: the progress of an export, and the URL of the file when it is ready.
    public func export(_ caller: Caller, _ id: String) throws -> Response {
        let (user, _) = try checkedIdentity(caller)
        let found = try descriptions(where: "user_id = \(user)::uuid and id::text = \(id.lowercased())")
        guard let export = found.first else { throw AuthError.noSuch("export") }
        return Response(status: 200, json: export)
    }

    private func descriptions(where condition: SQL) throws -> [String] {
        let rows = try run([
            """
            select id, state, json_build_object(
                'id', id, 'format', format, 'query', query, 'state', state, 'rows_done', rows_done, 'rows_total', rows_total, 'bytes', bytes,
                'message', message, 'created_at', created_at, 'finished_at', finished_at, 'expires_at', expires_at)::text
            from private.exports where expires_at > now() and
            """ + " " + condition + " order by created_at desc, id limit 20"
        ])[0]
        return (0..<rows.count).map { row in
            let id = rows.text(row, 0) ?? ""
            let url = rows.text(row, 1) == "ready" ? signed("/auth/v1/exports/\(id)/file", .export, id: id) : nil
            return (rows.text(row, 2) ?? "{").dropLast() + ",\"url\":" + JSONText.string(url) + "}"
        }
    }

    /// `GET /exports/<id>/file?expires=&signature=`: lets nginx send the file.
    public func exportedFile(_ id: String, expires: String?, signature: String?) throws -> Response {
        guard UUID(uuidString: id) != nil, id == id.lowercased(),
            isSigned(.export, id: id, expires: expires, signature: signature)
        else { throw AuthError.noSuch("export, or its URL has expired") }
        let rows = try run([
            """
            select to_char(created_at, 'YYYY-MM-DD'), format from private.exports
            where id = \(id)::uuid and state = 'ready' and expires_at > now()
            """
        ])[0]
        guard rows.count == 1, let day = rows.text(0, 0), let format = rows.text(0, 1).flatMap(ExportFormat.init) else {
            throw AuthError.noSuch("export, or its URL has expired")
        }
        return Response(
            status: 200,
            headers: [
                "x-accel-redirect": "/.exports/\(id).\(format.fileExtension)", "content-type": format.contentType,
                "content-disposition": "attachment; filename=\"\(format.fileName("lectern-\(day)"))\"",
            ])
    }
}
