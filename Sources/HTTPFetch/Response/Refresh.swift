/// The value of a `Refresh` header or of `<meta http-equiv=refresh>`: `5; url=/next`.
struct Refresh: Equatable {
    /// The delay in whole seconds.
    var delay: Int
    /// The URL as written, or nil to reload the page.
    var target: String?

    /// The longest delay that counts as a redirect. A longer one updates a page or shows slides.
    static let maxDelay = 20

    /// Follows the "shared declarative refresh steps" of the HTML standard, except that missing digits mean 0.
    init?(_ value: String) {
        var rest = Substring(value).drop(while: \.isWhitespace)
        let digits = rest.prefix { ("0"..."9").contains($0) }
        rest = rest.dropFirst(digits.count).drop { $0 == "." || ("0"..."9").contains($0) }
        guard !digits.isEmpty || rest.hasPrefix(";") || rest.lowercased().hasPrefix("url") else { return nil }
        delay = digits.isEmpty ? 0 : Int(digits.prefix(9)) ?? 0

        rest = rest.drop { $0.isWhitespace || $0 == ";" || $0 == "," }
        if rest.prefix(3).lowercased() == "url" {
            let afterName = rest.dropFirst(3).drop(while: \.isWhitespace)
            if afterName.first == "=" { rest = afterName.dropFirst().drop(while: \.isWhitespace) }
        }
        if let quote = rest.first, quote == "\"" || quote == "'" {
            rest = rest.dropFirst().prefix { $0 != quote }
        }
        while let last = rest.last, last.isWhitespace { rest.removeLast() }
        target = rest.isEmpty ? nil : String(rest)
    }
}
