/// The rules by which articles are extracted.
public enum ExtractionMode: String, Sendable, CaseIterable {
    /// The results of Mozilla Readability.
    case compat
    /// What users get: trimmed, and with captions excluded from the article's text.
    case best
}
