import Charsets
import HTML
import HTTPFetch
import JSON
import Links
import Readability

/// One line of `lectern resolve`: a JSON object without line breaks.
struct ResolveRow {
    let json: String

    init(url: String, page: FetchedPage) {
        let summary = PageSummary(page)
        let resolved = removingTrackers(page.finalURL)
        json = Self.object(
            [
                ("url", text(url)), ("resolved_url", text(resolved)), ("canonical", text(summary.canonical)),
                ("status", String(page.status)),
            ] + summary.members + [
                ("hops", String(page.hops)), ("seconds", Self.seconds(page.seconds)),
                ("dedupe_key", text(Self.key(resolved))),
                ("error", "null"), ("message", "null"), ("retryable", "false"), ("retry_after_s", "null"),
            ])
    }

    init(url: String, error: FetchError) {
        // The part received before the failure may include the title.
        let summary = error.beginning.map(PageSummary.init) ?? PageSummary()
        json = Self.object(
            [
                ("url", text(url)), ("resolved_url", "null"), ("canonical", "null"),
                ("status", error.status.map { String($0) } ?? "null"),
            ] + summary.members + [
                ("hops", String(error.hops)), ("seconds", Self.seconds(error.seconds)), ("dedupe_key", "null"),
                ("error", text(error.reason.rawValue)), ("message", text(error.message)),
                ("retryable", String(error.retryable)),
                ("retry_after_s", error.retryAfter.map { String($0) } ?? "null"),
            ])
    }

    private static let key = DedupeKey(mapHost: InternationalHost.mapped)

    private static func object(_ members: [(name: String, value: String)]) -> String { JSONText.object(members) }

    /// Seconds with at most three decimals.
    private static func seconds(_ seconds: Double) -> String { String((seconds * 1000).rounded() / 1000) }
}

/// The metadata of a page.
private struct PageSummary {
    /// Without tracking parameters; nil if it is not an http or https URL.
    var canonical: String?
    private var contentType: String?
    private var charset: String?
    private var metadata: PageMetadata?

    /// The summary of an empty response.
    init() {}

    init(_ page: FetchedPage) {
        let decoded = page.isHTML ? Charsets.decode(page.body, headerLabel: page.charsetLabel) : nil
        contentType = page.contentType
        charset = decoded?.charset ?? page.charsetLabel?.lowercased()
        metadata = decoded.flatMap { try? Document(parsing: $0.text) }.map { PageMetadata($0, url: page.finalURL) }
        canonical = (metadata?.canonical ?? metadata?.openGraphURL).flatMap {
            SplitURL($0).isWeb ? removingTrackers($0) : nil
        }
    }

    /// The members, in the order of the row.
    var members: [(String, String)] {
        [
            ("content_type", text(contentType)), ("charset", text(charset)), ("title", text(metadata?.title)),
            ("description", text(metadata?.description)), ("site_name", text(metadata?.siteName)),
            ("image", text(metadata?.image)), ("byline", text(metadata?.byline)),
            ("published", text(metadata?.publishedTime)),
        ]
    }
}

/// A JSON string, or null.
private func text(_ value: String?) -> String { JSONText.string(value) }
