/// The parsers of bytes from outside.
enum Target: String, CaseIterable {
    /// The records of a FastCGI connection.
    case records
    /// The query string of a request for a table, and the SQL made of it.
    case query
    /// JSON of request bodies and of pages.
    case json
    /// HTML: the tree, the sanitizer, the plain text and Markdown.
    case html

    func test(_ input: [UInt8]) {
        switch self {
        case .records: RecordFuzzing.test(input)
        case .query: QueryFuzzing.test(input)
        case .json: JSONFuzzing.test(input)
        case .html: HTMLFuzzing.test(input)
        }
    }
}
