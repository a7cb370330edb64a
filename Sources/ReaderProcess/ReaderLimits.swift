/// What one page may take to be read. The reading process is told them when it is started.
package struct ReaderLimits: Equatable, Sendable {
    /// Bytes of the largest page that is read, in UTF-8.
    package var sourceBytes = 20_971_520
    package var nodes = 2_000_000
    /// Of processor time.
    package var seconds = 10
    /// Bytes, beyond what the process has when it begins.
    package var memoryBytes = 512 << 20

    package init() {}

    /// Bytes of the longest request: text that was not UTF-8 may have grown to three times its size on the way, and there
    /// is its address.
    package var requestBytes: Int { 3 * sourceBytes + (2 << 20) }
    /// Bytes of the longest answer: the article as HTML and as text, and addresses that were made absolute. The rest of an
    /// answer is a few lines.
    package var answerBytes: Int { 2 * sourceBytes + (16 << 20) }
    /// Until a process that says nothing is given up. Other load may leave it a fourth of a processor.
    package var patience: Duration { .seconds(4 * seconds + 5) }

    // MARK: - On the command line

    private static let fields: [(name: String, path: WritableKeyPath<ReaderLimits, Int> & Sendable)] = [
        ("source", \.sourceBytes), ("nodes", \.nodes), ("seconds", \.seconds), ("memory", \.memoryBytes),
    ]

    /// `source=…`, `nodes=…`, `seconds=…` and `memory=…`.
    package var arguments: [String] { Self.fields.map { "\($0.name)=\(self[keyPath: $0.path])" } }

    /// - Returns: nil when the arguments are not those of ``arguments``.
    package init?(arguments: [String]) {
        guard arguments.count == Self.fields.count else { return nil }
        for (field, argument) in zip(Self.fields, arguments) {
            guard argument.hasPrefix(field.name + "="), let number = Int(argument.dropFirst(field.name.count + 1)), number >= 0
            else { return nil }
            self[keyPath: field.path] = number
        }
    }
}
