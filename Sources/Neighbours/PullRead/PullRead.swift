import HTTP
import JSON
import Postgres

/// Answers the viewer of PullRead (https://github.com/shellen/pullread) with the articles of the caller as Markdown files.
public struct PullRead {
    /// Runs one statement as the caller and returns its rows.
    public typealias Run = (SQL) throws -> Rows

    /// The URL of this service, without a trailing slash.
    private let publicURL: String
    private let read: Run
    private let write: Run

    public init(publicURL: String, read: @escaping Run, write: @escaping Run) {
        (self.publicURL, self.read, self.write) = (publicURL, read, write)
    }

    /// Answers every route but that of a file, which the caller of this function makes.
    public func respond(to request: Request, _ route: PullReadRoute) throws -> Response {
        switch route {
        case .files: return try json("select rest.viewer_files()")
        case .file: throw PullReadError.noFile
        case .filesChanged: return try json("select json_build_object('changedAt', rest.viewer_changed_at())::text")
        case .highlights: return try json("select rest.viewer_highlights(\(try Self.name(request)))")
        case .notes: return try json("select rest.viewer_notes(\(try Self.name(request)))")
        // Collections hold articles, and notebooks texts.
        case .notebooks: return Response(status: 200, json: try Self.parameter("id", request) == nil ? "{}" : "null")
        case .settings: return Response(status: 200, json: Self.settings)
        case .ttsSettings: return Response(status: 200, json: Self.ttsSettings)
        case .syncStatus: return try json("select rest.viewer_status()")
        case .syncProgress: return Response(status: 200, json: #"{"status":"idle"}"#)
        case .inbox: return Response(status: 200, json: "[]")
        case .save: return try save(request)
        case .session: return signedIn(try Self.body(request))
        case .endSession: return cookies(nil)
        case .favicon(let domain): return try icon(of: domain)
        case .refused:
            var response = PullReadError.response(to: PullReadError.readOnly)
            response.headers.set("allow", "GET, HEAD")
            return response
        }
    }

    /// The members of `/api/config` that the viewer reads, as arguments of `json_build_object`. wallabag's clients ask for
    /// the same path. `configured` keeps the viewer from asking for feeds.
    static let configuration: SQL = """
        'outputPath', '', 'feeds', '{}'::json, 'syncInterval', 'manual', 'useBrowserCookies', false, 'maxAgeDays', 0,
        'configured', true
        """

    private static let settings =
        #"{"llm":{"defaultProvider":"","providers":{},"appleAvailable":false},"viewerMode":"browser","timeFormat":"24h"}"#
    /// The browser reads aloud.
    private static let ttsSettings =
        #"{"provider":"browser","voice":"","model":"","hasKey":true,"voices":{},"models":{}}"#

    /// The parameter `name` of a request for a file.
    ///
    /// - Throws: `PullReadError.noFile` for a name that is a path.
    public static func name(_ request: Request) throws -> String? {
        guard let name = try parameter("name", request) else { return nil }
        guard !name.contains(".."), !name.contains("/"), !name.contains("\\"), name.utf8.count <= 255 else {
            throw PullReadError.noFile
        }
        return name
    }

    private static func parameter(_ name: String, _ request: Request) throws -> String? {
        guard let query = Self.decoded(request.query) else { throw PullReadError.noFile }
        return query.first { $0.name == name }?.value
    }

    /// The pairs of a query; nil for a broken escape, and for text that is not UTF-8 or has a NUL character.
    private static func decoded(_ query: String) -> [(name: String, value: String)]? {
        var pairs: [(name: String, value: String)] = []
        for pair in query.utf8.split(separator: UInt8(ascii: "&")).prefix(100) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard let name = FormText.decoded(parts[0]), let value = parts.count == 2 ? FormText.decoded(parts[1]) : ""
            else {
                return nil
            }
            pairs.append((name, value))
        }
        return pairs
    }

    private func json(_ statement: SQL) throws -> Response {
        Response(status: 200, json: try read(statement).text(0, 0) ?? "null")
    }

    // MARK: - Saving

    /// Adds a page. The viewer finds it in the list once its article is there.
    private func save(_ request: Request) throws -> Response {
        guard let url = try Self.body(request)["url"]?.string, !url.isEmpty else { throw PullReadError.missing("url") }
        guard url.utf8.count <= 65_536, ["http://", "https://"].contains(where: { url.lowercased().hasPrefix($0) })
        else {
            throw PullReadError.missing("An http or https URL as url")
        }
        // A page that is there already stays as it is.
        _ = try write(
            """
            insert into public.links (raw_url) select \(url)
            where rest.link_of_url((select auth.uid()), \(url)) is null
            """)
        return Response(status: 200, json: #"{"ok":true,"queued":true}"#)
    }

    static func body(_ request: Request) throws -> JSON {
        guard let body = JSON(parsing: request.body), case .object = body else { throw PullReadError.badBody }
        return body
    }

    // MARK: - Signing in

    /// The token in the body of a request that signs in; nil without one.
    public static func token(in request: Request) -> String? {
        JSON(parsing: request.body)?["token"]?.string
    }

    private func signedIn(_ body: JSON) -> Response { cookies(body["token"]?.string) }

    private func cookies(_ token: String?) -> Response {
        var response = Response(status: 200, json: #"{"ok":true}"#)
        for field in PullReadCookie.fields(token: token, publicURL: publicURL, seconds: PullReadCookie.seconds) {
            response.headers.add("set-cookie", field)
        }
        return response
    }

    // MARK: - Icons

    private func icon(of domain: String) throws -> Response {
        guard let address = try read("select rest.viewer_icon(\(domain))").text(0, 0) else {
            throw PullReadError.noFile
        }
        // nginx sends the picture.
        return Response(
            status: 200, headers: ["x-accel-redirect": "/pictures/\(address)", "content-type": "image/webp"])
    }
}
