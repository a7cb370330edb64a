import Confinement

/// The limits for reading one page.
package struct ReaderLimits: ProcessLimits {
    /// The length of the largest page, in bytes of UTF-8.
    package var sourceBytes = 20_971_520
    package var nodes = 2_000_000
    /// The processor time, in seconds.
    package var seconds = 10
    /// The memory in addition to the process's memory at its start, in bytes.
    package var memoryBytes = 512 << 20

    package init() {}

    /// The length of the longest request, in bytes: text in another encoding can grow to three times its size in UTF-8,
    /// and the URL is added.
    package var requestBytes: Int { 3 * sourceBytes + (2 << 20) }
    /// The length of the longest response, in bytes: the article as HTML and as text, and URLs that were made absolute.
    /// The rest of a response is short.
    package var answerBytes: Int { 2 * sourceBytes + (16 << 20) }

    package static let fields: [Field] = [
        ("source", \.sourceBytes), ("nodes", \.nodes), ("seconds", \.seconds), ("memory", \.memoryBytes),
    ]
}
