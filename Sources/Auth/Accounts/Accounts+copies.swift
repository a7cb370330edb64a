import FoundationEssentials
import HTTP
import JSON
import Postgres

/// Copies of pages as the browser showed them. They are saved by `rpc/save_copy`.
extension Accounts {
    /// `GET /copies?link=<id>`: the copies of a link, of which there is one at most, with the URLs that open them.
    public func copies(_ caller: Caller, link: String?) throws -> Response {
        let (user, _) = try checkedIdentity(caller)
        guard let id = link.flatMap(Self.id) else { throw AuthError.validationFailed("link is not the id of a link") }
        let rows = try run([
            """
            select bytes, to_char(taken_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')
            from private.copy_of_link(\(id)::uuid, \(user)::uuid)
            """
        ])[0]
        let copies = (0..<rows.count).map { row in
            JSONText.object([
                ("url", JSONText.string(signed("/auth/v1/copies/\(id)/file", .copy, id: id))),
                ("bytes", rows.text(row, 0) ?? "0"), ("taken_at", JSONText.string(rows.text(row, 1))),
            ])
        }
        return Response(status: 200, json: "[" + copies.joined(separator: ",") + "]")
    }

    /// `GET /copies/<link id>/file?expires=&signature=`: the copy, which runs and loads nothing.
    public func copiedPage(_ link: String, expires: String?, signature: String?) throws -> Response {
        guard let id = Self.id(link), isSigned(.copy, id: id, expires: expires, signature: signature) else {
            throw AuthError.noSuch("copy, or its URL has expired")
        }
        let rows = try run(["select private.copied_page(\(id)::uuid)"])[0]
        guard rows.count == 1, let html = rows.text(0, 0) else {
            throw AuthError.noSuch("copy, or its URL has expired")
        }
        return Response(status: 200, headers: Self.headersOfCopies, body: Array(html.utf8))
    }

    /// The sandbox gives a copy an origin of its own, without scripts, forms, refreshes and the storage of the app. What is
    /// not in the file itself is not loaded.
    ///
    /// A Cross-Origin-Opener-Policy is left out: browsers refuse to show a sandboxed page that has one.
    private static let headersOfCopies: Headers = [
        "content-type": "text/html; charset=utf-8",
        "content-security-policy": """
        sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; form-action 'none'; \
        base-uri 'none'; frame-ancestors 'none'
        """,
        "cross-origin-resource-policy": "same-origin", "x-dns-prefetch-control": "off", "x-robots-tag": "noindex",
    ]

    private static func id(_ text: String) -> String? {
        UUID(uuidString: text) == nil ? nil : text.lowercased()
    }
}
