/// The limits for reading one page. The reader process receives them as arguments.
package struct ReaderLimits: Equatable, Sendable {
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
    /// How long to wait for a response. With other load, the process may get only a quarter of a processor.
    package var responseTimeout: Duration { .seconds(4 * seconds + 5) }

    // MARK: - On the command line

    private static let fields: [(name: String, path: WritableKeyPath<ReaderLimits, Int> & Sendable)] = [
        ("source", \.sourceBytes), ("nodes", \.nodes), ("seconds", \.seconds), ("memory", \.memoryBytes),
    ]

    /// The arguments `source=…`, `nodes=…`, `seconds=…` and `memory=…`.
    package var arguments: [String] { Self.fields.map { "\($0.name)=\(self[keyPath: $0.path])" } }

    /// - Returns: nil unless the arguments have the form of ``arguments``.
    package init?(arguments: [String]) {
        guard arguments.count == Self.fields.count else { return nil }
        for (field, argument) in zip(Self.fields, arguments) {
            guard argument.hasPrefix(field.name + "="), let number = Int(argument.dropFirst(field.name.count + 1)),
                number >= 0
            else { return nil }
            self[keyPath: field.path] = number
        }
    }
}
