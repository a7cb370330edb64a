/// How long a site wants robots to wait between two requests: `Crawl-delay` of its robots.txt, which RFC 9309 does not know and many
/// sites use all the same. What else the file says is for those who follow links; we visit what users have saved.
enum CrawlDelay {
    /// Longer ones are cut: a site may write any number, and so may one that rents its name to many.
    static let longest: Duration = .seconds(300)
    /// Bytes of the file that are read (RFC 9309, 2.5).
    static let readBytes = 500 * 1024

    /// - Parameter product: the name by which we introduce ourselves, such as `Lectern`.
    /// - Returns: of the group that names us, else of that for all; nil where neither asks for one.
    static func of(robotsFile bytes: some Collection<UInt8>, for product: String) -> Duration? {
        let text = String(decoding: bytes.prefix(readBytes), as: UTF8.self)
        var (ours, everybodys): (Duration?, Duration?)
        // Of the group that is being read: whether it is for us, for all, and whether its names are still coming.
        var (namesUs, namesAll, isNaming) = (false, false, false)
        for line in text.split(whereSeparator: \.isNewline) {
            guard let (field, value) = member(of: line) else { continue }
            if field == "user-agent" {
                if !isNaming { (namesUs, namesAll) = (false, false) }
                if value.lowercased() == product.lowercased() { namesUs = true }
                if value == "*" { namesAll = true }
            } else if field == "crawl-delay", let delay = delay(value) {
                if namesUs { ours = ours ?? delay }
                if namesAll { everybodys = everybodys ?? delay }
            }
            isNaming = field == "user-agent"
        }
        return ours ?? everybodys
    }

    private static func member(of line: Substring) -> (field: String, value: String)? {
        let said = line.prefix { $0 != "#" }
        guard let colon = said.firstIndex(of: ":") else { return nil }
        return (trimmed(said[..<colon]).lowercased(), trimmed(said[said.index(after: colon)...]))
    }

    private static func trimmed(_ text: Substring) -> String {
        var text = text.drop { $0.isWhitespace || $0 == "\u{FEFF}" }
        while let last = text.last, last.isWhitespace { text.removeLast() }
        return String(text)
    }

    private static func delay(_ value: String) -> Duration? {
        guard let seconds = Double(value), seconds.isFinite, seconds >= 0 else { return nil }
        return min(.seconds(min(seconds, 1e6)), longest)
    }
}
