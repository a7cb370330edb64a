import Charsets
import HTML
import HTTP
import HTTPFetch
import Links
import Readability

/// One line of `lectern resolve`: a JSON object without line breaks.
struct ResolveRow {
    let json: String

    init(url: String, page: FetchedPage) {
        let decoded = page.isHTML ? Charsets.decode(page.body, headerLabel: page.charsetLabel) : nil
        let metadata = decoded.flatMap { try? Document(parsing: $0.text) }
            .map { PageMetadata($0, url: page.finalURL) }
        let claimed = metadata?.canonical ?? metadata?.openGraphURL
        let resolved = removingTrackers(page.finalURL)
        json = Self.object([
            ("url", text(url)), ("resolved_url", text(resolved)),
            ("canonical", text(claimed.flatMap { SplitURL($0).isWeb ? removingTrackers($0) : nil })),
            ("status", String(page.status)), ("content_type", text(page.contentType)),
            ("charset", text(decoded?.charset ?? page.charsetLabel?.lowercased())), ("title", text(metadata?.title)),
            ("description", text(metadata?.description)), ("site_name", text(metadata?.siteName)),
            ("image", text(metadata?.image)), ("byline", text(metadata?.byline)),
            ("published", text(metadata?.publishedTime)), ("hops", String(page.hops)),
            ("seconds", Self.seconds(page.seconds)), ("dedupe_key", text(Self.key(resolved))), ("error", "null"), ("message", "null"),
            ("retryable", "false"), ("retry_after_s", "null"),
        ])
    }

    init(url: String, error: FetchError) {
        let unknown = ["content_type", "charset", "title", "description", "site_name", "image", "byline", "published"]
        json = Self.object(
            [
                ("url", text(url)), ("resolved_url", "null"), ("canonical", "null"),
                ("status", error.status.map { String($0) } ?? "null"),
            ] + unknown.map { ($0, "null") } + [
                ("hops", String(error.hops)), ("seconds", Self.seconds(error.seconds)), ("dedupe_key", "null"),
                ("error", text(error.reason.rawValue)), ("message", text(error.message)),
                ("retryable", String(error.retryable)),
                ("retry_after_s", error.retryAfter.map { String($0) } ?? "null"),
            ])
    }

    private static let key = DedupeKey(mapHost: InternationalHost.mapped)

    private static func object(_ members: [(name: String, value: String)]) -> String { JSONText.object(members) }

    /// Three decimals at most: more would be noise.
    private static func seconds(_ seconds: Double) -> String { String((seconds * 1000).rounded() / 1000) }
}

/// A string of the row, or null.
private func text(_ value: String?) -> String { JSONText.string(value) }
