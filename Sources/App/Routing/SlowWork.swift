import HTTP
import Neighbours
import REST

/// Recognizes requests that may hash a password: 19 MiB of memory and about twenty milliseconds of processor time each,
/// as much as dozens of list requests. They queue for one thread, so that they do not occupy the threads that others
/// need; see `FastCGI.Lane`.
enum SlowWork {
    /// Decides by the route, and for `/auth/v1/token` by the grant type: refreshing a session hashes nothing.
    static func contains(_ request: Request) -> Bool {
        if request.path.hasPrefix("/oauth/"), case .api(.neighbour(.wallabag(.token)))? = try? Route(request) {
            return WallabagTokenEndpoint.hashesPassword(request)
        }
        // Checked for every request; most paths fail the first test.
        guard request.path.hasPrefix("/auth/"), case .api(.auth(let route))? = try? Route(request), route.hashesPassword
        else { return false }
        return route != .token || (try? QueryString(request.query))?["grant_type"] == "password"
    }
}
