/// Reads the `Crawl-delay` of a robots.txt, the time between two requests. RFC 9309 does not define it, but many sites
/// use it. The other rules of the file concern robots that follow links, while Lectern fetches what users have saved.
enum RobotsFile {
    /// The longest delay that is respected. A site may name any number, and so may one tenant of a shared host name.
    static let maximum: Duration = .seconds(300)
    /// Bytes of the file that are read (RFC 9309, section 2.5).
    static let readBytes = 500 * 1024

    /// - Parameter product: the product name of the User-Agent header, such as `Lectern`.
    /// - Returns: the delay of the group for the product, else of the group for all robots; nil where neither names
    ///   one.
    static func crawlDelay(of bytes: some Collection<UInt8>, for product: String) -> Duration? {
        let text = String(decoding: bytes.prefix(readBytes), as: UTF8.self)
        var (forProduct, forAll): (Duration?, Duration?)
        // Whether the current group names the product, names all robots, and may name further ones.
        var (namesProduct, namesAll, isNaming) = (false, false, false)
        for line in text.split(whereSeparator: \.isNewline) {
            guard let (field, value) = member(of: line) else { continue }
            if field == "user-agent" {
                if !isNaming { (namesProduct, namesAll) = (false, false) }
                if value.lowercased() == product.lowercased() { namesProduct = true }
                if value == "*" { namesAll = true }
            } else if field == "crawl-delay", let delay = delay(value) {
                if namesProduct { forProduct = forProduct ?? delay }
                if namesAll { forAll = forAll ?? delay }
            }
            isNaming = field == "user-agent"
        }
        return forProduct ?? forAll
    }

    private static func member(of line: Substring) -> (field: String, value: String)? {
        let rule = line.prefix { $0 != "#" }
        guard let colon = rule.firstIndex(of: ":") else { return nil }
        return (trimmed(rule[..<colon]).lowercased(), trimmed(rule[rule.index(after: colon)...]))
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }

    private static func delay(_ value: String) -> Duration? {
        guard let seconds = Double(value), seconds.isFinite, seconds >= 0 else { return nil }
        return min(.seconds(min(seconds, 1e6)), maximum)
    }
}
