import HTTP
import REST

/// Which requests may come to hash a password: 19 MiB and some twenty milliseconds of a processor each, as much as
/// dozens of lists. They wait for each other instead of for threads that others need, see `FastCGI.Lane`.
enum SlowWork {
    /// Judges a request by its route, and a sign-in by its query: to refresh a session is no slow work.
    static func contains(_ request: Request) -> Bool {
        // Every request passes here, and most are none of the accounts'.
        guard request.path.hasPrefix("/auth/"), case .auth(let route)? = try? Route(request), route.hashesPassword else {
            return false
        }
        return route != .token || (try? QueryString(request.query))?["grant_type"] == "password"
    }
}
