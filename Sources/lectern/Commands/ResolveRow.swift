import Charsets
import HTTPFetch
import Links

/// What a page says of itself; absolute URLs, entities decoded. Nil where it says nothing.
struct PageDescription {
    /// `rel=canonical`, else `og:url`; trackers still in it.
    var canonical: String?
    var title: String?
    var description: String?
    var siteName: String?
    var image: String?
    var byline: String?
    /// As written.
    var published: String?
}

/// The page's own words, read from its markup. Says nothing until the HTML room is wired in here.
func describe(html: String, baseURL: String) -> PageDescription { PageDescription() }

/// One line of `lectern resolve`.
struct ResolveRow {
    private var fields: [(name: String, value: JSONValue)] = []

    init(url: String, page: FetchedPage) {
        let decoded = page.isHTML ? Charsets.decode(page.body, headerLabel: page.charsetLabel) : nil
        let about = decoded.map { describe(html: $0.text, baseURL: page.finalURL) } ?? PageDescription()
        let canonical = about.canonical.flatMap { SplitURL($0).isWeb ? removingTrackers($0) : nil }
        fields = [
            ("url", .text(url)), ("resolved_url", .text(removingTrackers(page.finalURL))), ("canonical", .text(canonical)),
            ("status", .integer(page.status)), ("content_type", .text(page.contentType)),
            ("charset", .text(decoded?.charset ?? page.charsetLabel?.lowercased())), ("title", .text(about.title)),
            ("description", .text(about.description)), ("site_name", .text(about.siteName)), ("image", .text(about.image)),
            ("byline", .text(about.byline)), ("published", .text(about.published)), ("hops", .integer(page.hops)),
            ("seconds", .seconds(page.seconds)), ("dedupe_key", .text(nil)), ("error", .text(nil)),
            ("message", .text(nil)), ("retryable", .bool(false)), ("retry_after_s", .integer(nil)),
        ]
    }

    init(url: String, error: FetchError) {
        let unknown = ["content_type", "charset", "title", "description", "site_name", "image", "byline", "published"]
        fields = [
            ("url", .text(url)), ("resolved_url", .text(nil)), ("canonical", .text(nil)), ("status", .integer(error.status)),
        ]
        fields += unknown.map { ($0, .text(nil)) }
        fields += [
            ("hops", .integer(error.hops)), ("seconds", .seconds(error.seconds)), ("dedupe_key", .text(nil)),
            ("error", .text(error.reason.rawValue)), ("message", .text(error.message)),
            ("retryable", .bool(error.retryable)), ("retry_after_s", .integer(error.retryAfter)),
        ]
    }

    /// One JSON object without line breaks.
    var json: String {
        "{" + fields.map { "\(JSONValue.text($0.name).json):\($0.value.json)" }.joined(separator: ",") + "}"
    }
}

private enum JSONValue {
    case text(String?)
    case integer(Int?)
    case bool(Bool)
    /// Written with three decimals at most.
    case seconds(Double)

    var json: String {
        switch self {
        case .text(nil), .integer(nil): "null"
        case .text(let text?): JSONValue.quoted(text)
        case .integer(let number?): String(number)
        case .bool(let flag): flag ? "true" : "false"
        case .seconds(let seconds): String((seconds * 1000).rounded() / 1000)
        }
    }

    private static func quoted(_ text: String) -> String {
        var json = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": json += "\\\""
            case "\\": json += "\\\\"
            case "\n": json += "\\n"
            case "\r": json += "\\r"
            case "\t": json += "\\t"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                json += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: json.unicodeScalars.append(scalar)
            }
        }
        return json + "\""
    }
}
