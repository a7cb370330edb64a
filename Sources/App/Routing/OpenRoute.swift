/// A route answered without a caller.
public enum OpenRoute: Equatable, Sendable {
    case preflight
    case health
    case metrics
    /// `/opensearch.xml`
    case searchDescription
    /// `/public/<token>`, and `/share/<token>` as in wallabag
    case sharedArticle(token: String)
    case publicFile(bucket: String, path: String)
}
