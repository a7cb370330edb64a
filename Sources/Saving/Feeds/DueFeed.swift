import HTTPFetch
import Postgres

/// A leased feed.
struct DueFeed: FetchSubject {
    var id: String
    var userID: String
    var url: String
    /// The number of this fetch.
    var fetch: Int
    /// The validators of the last document.
    var copy: Validators?

    /// - Parameter rows: of `private.take_feeds`.
    init(_ rows: Rows, _ row: Int) {
        (id, userID, url) = (rows.text(row, 0) ?? "", rows.text(row, 1) ?? "", rows.text(row, 2) ?? "")
        fetch = rows.int(row, 3) ?? 0
        if let copyURL = rows.text(row, 4) {
            copy = Validators(url: copyURL, etag: rows.text(row, 5), lastModified: rows.text(row, 6))
        }
    }

    var request: FetchRequest { FetchRequest(url, copy: copy) }
    var host: String? { HostRateLimiter.host(of: url) }
}
