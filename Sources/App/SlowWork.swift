import HTTP
import REST

/// Which requests may come to hash a password: 19 MiB and some twenty milliseconds of a processor each, as much as
/// dozens of lists. They wait for each other instead of for threads that others need, see `FastCGI.Lane`.
enum SlowWork {
    /// Judges a request by its method, path and query alone.
    static func contains(_ request: Request) -> Bool {
        let prefix = "/auth/v1/"
        // No client of ours escapes anything in these paths; who does shall not get around the queue by it.
        if request.path.hasPrefix("/auth/"), request.path.utf8.contains(UInt8(ascii: "%")) { return true }
        guard request.path.hasPrefix(prefix) else { return false }
        let path = request.path.dropFirst(prefix.count)
        switch (request.method, path) {
        case ("POST", "token"): return (try? QueryString(request.query))?["grant_type"] == "password"
        case ("POST", "signup"), ("PUT", "user"), ("DELETE", "user"): return true
        case ("POST", "admin/users"), ("POST", "admin/generate_link"): return true
        default: return request.method == "PUT" && path.hasPrefix("admin/users/")
        }
    }
}
