/// What one picture may take. The process that reads it is told them when it is started.
public struct PictureLimits: Equatable, Sendable {
    /// Bytes of the largest file.
    public var sourceBytes = 8 << 20
    /// Of the largest picture; of an animation, those of all its frames.
    public var pixels = 50_000_000
    /// Of processor time.
    public var seconds = 10
    /// Bytes, beyond what the process has when it begins.
    public var memoryBytes = 768 << 20

    public init() {}

    /// Bytes of the longest request: the file, and what it is for.
    public var requestBytes: Int { sourceBytes + 1_024 }
    /// Bytes of the longest answer: a picture without loss may be longer than its file was.
    public var answerBytes: Int { 4 * sourceBytes + (1 << 20) }
    /// Until a process that says nothing is given up. Other load may leave it a fourth of a processor.
    public var patience: Duration { .seconds(4 * seconds + 5) }

    // MARK: - On the command line

    private static let fields: [(name: String, path: WritableKeyPath<PictureLimits, Int> & Sendable)] = [
        ("source", \.sourceBytes), ("pixels", \.pixels), ("seconds", \.seconds), ("memory", \.memoryBytes),
    ]

    /// `source=…`, `pixels=…`, `seconds=…` and `memory=…`.
    public var arguments: [String] { Self.fields.map { "\($0.name)=\(self[keyPath: $0.path])" } }

    /// - Returns: nil when the arguments are not those of ``arguments``.
    public init?(arguments: [String]) {
        guard arguments.count == Self.fields.count else { return nil }
        for (field, argument) in zip(Self.fields, arguments) {
            guard argument.hasPrefix(field.name + "="), let number = Int(argument.dropFirst(field.name.count + 1)), number >= 0
            else { return nil }
            self[keyPath: field.path] = number
        }
    }
}
