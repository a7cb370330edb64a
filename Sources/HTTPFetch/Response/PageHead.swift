/// The parts of a page's head that lead to another URL, read from the bytes: every charset of pages except UTF-16
/// encodes tags in ASCII. Scans the tags without parsing the document, and stops at the end of the head.
struct PageHead: Equatable {
    /// The content attribute of the first `<meta http-equiv=refresh>`, with character references decoded.
    private(set) var refresh: String?
    /// The href of the first `<link rel=canonical>`, decoded in the same way.
    private(set) var canonical: String?
    /// Whether the page is an AMP document: a copy of another page, which it names as canonical.
    private(set) var isAMP = false

    /// The number of bytes that are scanned. Heads with inline styles are long, but redirects come early.
    static let searchedBytes = 128 * 1024

    init(_ page: [UInt8]) {
        var scanner = HeadTagScanner(bytes: page.prefix(Self.searchedBytes))
        while let (name, attributes) = scanner.next() {
            switch name {
            case "html": isAMP = isAMP || HeadTagScanner.ampAttributes.contains { attributes[$0] != nil }
            case "meta" where attributes["http-equiv"]?.lowercased() == "refresh":
                refresh = refresh ?? attributes["content"].map(HeadTagScanner.decoded)
            case "link":
                let kinds = attributes["rel"]?.lowercased().split(whereSeparator: \.isWhitespace) ?? []
                if kinds.contains("canonical") {
                    canonical = canonical ?? attributes["href"].map(HeadTagScanner.decoded)
                }
            default: break
            }
        }
    }
}
