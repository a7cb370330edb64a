import HTTP
import JSON

/// Answers the API of wallabag 2.6 (https://doc.wallabag.org/developer/api/) for its clients.
public struct Wallabag: Sendable {
    /// The version of wallabag whose API this is. Clients compare it with the one that they need.
    static let version = "2.6.10"
    /// Without a charset: KOReader compares the whole value.
    static let contentType = "application/json"

    public init() {}

    public func respond(to request: Request, _ route: WallabagRoute) -> Response {
        switch route {
        case .version: Self.response(JSONText.string(Self.version))
        case .info:
            Self.response(
                JSONText.object([
                    ("appname", JSONText.string("wallabag")), ("version", JSONText.string(Self.version)),
                    ("allowed_registration", "false"),
                ]))
        }
    }

    /// wallabag's clients take every success for 200.
    static func response(_ json: String) -> Response {
        Response(status: 200, headers: ["content-type": contentType], body: Array(json.utf8))
    }
}
