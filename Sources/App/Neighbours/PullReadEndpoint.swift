import HTTP
import Neighbours
import Postgres

/// Answers PullRead's viewer: files from stored Markdown, and lists with entity tags, since the viewer asks for them often.
struct PullReadEndpoint {
    private let services: Services

    init(_ services: Services) { self.services = services }

    func respond(to request: Request, _ route: PullReadRoute, as transaction: CallerTransaction) throws -> Response {
        switch route {
        case .file: try file(request, as: transaction)
        case .files, .filesChanged, .highlights, .notes, .syncStatus: try list(request, route, as: transaction)
        default:
            try PullRead(
                publicURL: services.publicURL, read: { try transaction.readOnly.run([$0])[0] },
                write: { try transaction.locking(.shared).run([$0])[0] }
            ).respond(to: request, route)
        }
    }

    private func file(_ request: Request, as transaction: CallerTransaction) throws -> Response {
        guard let name = try PullRead.name(request) else { throw PullReadError.noFile }
        let rows = try transaction.readOnly.run([
            "select members, markdown, plain from rest.viewer_file(\(name))"
        ])[0]
        guard let text = MarkdownEndpoint.text(rows) else { throw PullReadError.noFile }
        return MarkdownEndpoint.response(
            to: request, ViewerMarkdown.shielded(text), contentType: "text/plain; charset=utf-8")
    }

    private func list(_ request: Request, _ route: PullReadRoute, as transaction: CallerTransaction) throws -> Response
    {
        let document = LibraryDocument(
            request, as: transaction, schema: services.schema.fingerprint, cache: services.documents)
        let viewer = PullRead(
            publicURL: services.publicURL, read: { try document.transaction.run([$0])[0] },
            write: { _ in throw PullReadError.readOnly })
        return try document.respond(contentType: { _ in "application/json; charset=utf-8" }) { _ in
            try viewer.respond(to: request, route).body
        }
    }
}
