/// A Content-Type field, parsed leniently.
struct ContentType: Equatable {
    /// `type/subtype` in lower case.
    var mediaType: String
    /// The `charset` parameter without quotes, as written.
    var charset: String?

    /// Returns nil without a `type/subtype`.
    init?(_ value: String) {
        // Values joined by commas are several fields. The first one counts.
        let parts = value.split(separator: ";", omittingEmptySubsequences: false)
        guard let first = parts.first?.split(separator: ",").first else { return nil }
        mediaType = first.filter { !$0.isWhitespace }.lowercased()
        guard mediaType.contains("/") else { return nil }
        for parameter in parts.dropFirst() {
            let pair = parameter.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].filter({ !$0.isWhitespace }).lowercased() == "charset" else { continue }
            let label = pair[1].prefix { $0 != "," }.filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
            if charset == nil, !label.isEmpty { charset = label }
        }
    }
}
