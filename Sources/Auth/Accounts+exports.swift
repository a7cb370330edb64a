import Crypto
import FoundationEssentials
import HTTP
import Postgres

/// Everything a user has, as one file. The jobs process writes it; these ask for it and lead to it.
extension Accounts {
    /// Seconds the address of a file is good for.
    static let fileAddressLifetime = 600

    /// `POST /exports`: asks for one; one at a time.
    public func startExport(_ caller: Caller) throws -> Response {
        let (user, _) = try checkedIdentity(caller)
        try checkAttempt("export \(user)", free: 5, longest: "1 hour")
        let rows = try run([
            "insert into private.exports (user_id) values (\(user)::uuid) on conflict do nothing returning id"
        ])[0]
        guard rows.count == 1, let id = rows.text(0, 0) else {
            throw AuthError.conflict("An export is being written already")
        }
        var response = try export(caller, id)
        response.status = 202
        return response
    }

    /// `GET /exports`: those that are still there, the newest first.
    public func exports(_ caller: Caller) throws -> Response {
        let (user, _) = try checkedIdentity(caller)
        return Response(status: 200, json: "[" + (try described("user_id = \(user)::uuid")).joined(separator: ",") + "]")
    }

    /// `GET /exports/<id>`: how far it is, and when it is ready, where the file is.
    public func export(_ caller: Caller, _ id: String) throws -> Response {
        let (user, _) = try checkedIdentity(caller)
        let found = try described("user_id = \(user)::uuid and id::text = \(id.lowercased())")
        guard let export = found.first else { throw AuthError.noSuch("export") }
        return Response(status: 200, json: export)
    }

    private func described(_ which: SQL) throws -> [String] {
        let rows = try run([
            """
            select id, state, json_build_object('id', id, 'state', state, 'rows_done', rows_done, 'rows_total', rows_total,
                'bytes', bytes, 'message', message, 'created_at', created_at, 'finished_at', finished_at,
                'expires_at', expires_at)::text
            from private.exports where expires_at > now() and
            """ + " " + which + " order by created_at desc, id limit 20"
        ])[0]
        return (0..<rows.count).map { row in
            let address = rows.text(row, 1) == "ready" ? fileAddress(rows.text(row, 0) ?? "") : nil
            return (rows.text(row, 2) ?? "{").dropLast() + ",\"url\":" + JSONText.string(address) + "}"
        }
    }

    /// The path of a file, with a signature in place of a token: a browser that downloads sends no headers.
    private func fileAddress(_ id: String) -> String {
        let expires = now + Self.fileAddressLifetime
        return "/auth/v1/exports/\(id)/file?expires=\(expires)&signature=\(signature(id, expires, rules.keys.current))"
    }

    private func signature(_ id: String, _ expires: Int, _ key: TokenKey) -> String {
        Base64URL.encode(Digest.hmacSHA256("\(id) \(expires)".utf8, key: key.derived(for: "export file")))
    }

    /// `GET /exports/<id>/file?expires=&signature=`: hands the file over to the web server, which sends it.
    public func exportedFile(_ id: String, expires: String?, signature presented: String?) throws -> Response {
        guard let expires = expires.flatMap({ Int($0) }), expires > now, let presented,
            UUID(uuidString: id) != nil, id == id.lowercased(),
            rules.keys.all(now: now).contains(where: { key in
                Digest.equalInConstantTime(Array(signature(id, expires, key).utf8), Array(presented.utf8))
            })
        else { throw AuthError.noSuch("export, or its address has expired") }
        let rows = try run([
            "select to_char(created_at, 'YYYY-MM-DD') from private.exports where id = \(id)::uuid and state = 'ready' and expires_at > now()"
        ])[0]
        guard rows.count == 1, let day = rows.text(0, 0) else { throw AuthError.noSuch("export, or its address has expired") }
        return Response(
            status: 200,
            headers: [
                "x-accel-redirect": "/.exports/\(id).zip", "content-type": "application/zip",
                "content-disposition": "attachment; filename=\"lectern-\(day).zip\"",
            ])
    }
}
