@testable import Feeds

extension FeedEntry {
    static var example: FeedEntry {
        FeedEntry(
            id: "5b2d0f7e-0000-4000-8000-000000000001", page: "https://a.example/?b=1&c=2", title: "Tea & <Cake>",
            published: "2026-01-31T12:00:00Z", updated: "2026-02-01T12:00:00Z")
    }
}
