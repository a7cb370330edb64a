/// A route answered without a caller.
public enum OpenRoute: Equatable, Sendable {
    case preflight
    case health
    case metrics
    /// `/opensearch.xml`
    case searchDescription
    case publicFile(bucket: String, path: String)
}
