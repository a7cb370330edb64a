import HTTP
import JSON
import Postgres

/// Answers the API of linkding (https://linkding.link/api/) for its clients.
public struct Linkding {
    /// The version of linkding whose API this is. Clients compare it with the one that they need.
    public static let version = "1.36.0"

    /// The URL of this service, without a trailing slash.
    let publicURL: String
    let caller: NeighbourCaller

    public init(publicURL: String, as caller: NeighbourCaller) {
        self.publicURL = publicURL
        self.caller = caller
    }

    public func respond(to request: Request, _ route: LinkdingRoute) throws -> Response {
        switch route {
        case .bookmarks: return try bookmarks(try Parameters(query: request.query), isArchived: false)
        case .archived: return try bookmarks(try Parameters(query: request.query), isArchived: true)
        // Users share no bookmarks with each other.
        case .shared: return Self.response(#"{"count":0,"next":null,"previous":null,"results":[]}"#)
        case .check: return try check(try Parameters(query: request.query))
        case .bookmark(let id): return try bookmark(id)
        case .createBookmark: return try create(try Parameters(request))
        case .replaceBookmark(let id): return try change(id, try Parameters(request), isWhole: true)
        case .changeBookmark(let id): return try change(id, try Parameters(request), isWhole: false)
        case .deleteBookmark(let id): return try delete(id)
        case .archive(let id): return try move(id, to: "archive")
        case .unarchive(let id): return try move(id, to: "read")
        case .tags: return try tags(try Parameters(query: request.query))
        case .tag(let id): return try tag(id)
        case .createTag: return try createTag(try Parameters(request))
        case .profile: return Self.profile
        }
    }

    static func response(_ json: String, status: Int = 200) -> Response {
        Response(status: status, headers: ["content-type": NeighbourRoute.contentType], body: Array(json.utf8))
    }

    /// The settings of linkding's pages that clients look at, as they are in a new account there.
    private static var profile: Response {
        response(
            #"{"theme":"auto","bookmark_date_display":"relative","bookmark_link_target":"_blank","#
                + #""web_archive_integration":"disabled","tag_search":"strict","enable_sharing":false,"#
                + #""enable_public_sharing":false,"enable_favicons":false,"display_url":false,"#
                + #""permanent_notes":false,"#
                + #""search_preferences":{"sort":"added_desc","shared":"off","unread":"off"},"#
                + #""version":"\#(version)"}"#)
    }

    // MARK: - Pages

    /// The part of a list that a client asks for.
    struct Page {
        let limit: Int
        let offset: Int

        init(_ parameters: Parameters) throws(NeighbourError) {
            let limit = try parameters.number("limit", in: 0...1_000) ?? 100
            self.limit = limit == 0 ? 100 : limit
            offset = try parameters.number("offset", in: 0...1_000_000_000) ?? 0
        }
    }

    /// - Parameters:
    ///   - results: the number of all rows, and the rows of the page as JSON.
    ///   - query: the parameters of the list without those of the page.
    func list(_ results: [Rows], _ page: Page, path: String, query: [(String, String)]) -> Response {
        let total = results[0].int(0, 0) ?? 0
        func link(_ offset: Int) -> String {
            let pairs = query + [("limit", String(page.limit))] + (offset > 0 ? [("offset", String(offset))] : [])
            let text = pairs.map { $0.0 + "=" + percentEncoded($0.1) }.joined(separator: "&")
            return JSONText.string(publicURL + path + "?" + text)
        }
        let items = (0..<results[1].count).compactMap { results[1].text($0, 0) }
        return Self.response(
            JSONText.object([
                ("count", String(total)),
                ("next", page.offset + page.limit < total ? link(page.offset + page.limit) : "null"),
                ("previous", page.offset > 0 ? link(max(0, page.offset - page.limit)) : "null"),
                ("results", "[" + items.joined(separator: ",") + "]"),
            ]))
    }

    /// The first column of the only row, which is JSON.
    static func json(_ rows: Rows, status: Int = 200) throws(NeighbourError) -> Response {
        guard rows.count > 0, let text = rows.text(0, 0) else { throw .notFound }
        return response(text, status: status)
    }
}
