/// The limits for reading one picture. They are arguments of the process that reads it.
public struct PictureLimits: Equatable, Sendable {
    /// Bytes of the largest file.
    public var sourceBytes = 8 << 20
    /// Pixels of the largest picture; for an animation, those of all frames together.
    public var pixels = 50_000_000
    /// Seconds of processor time.
    public var seconds = 10
    /// Bytes of memory beyond those that the process uses at start.
    public var memoryBytes = 768 << 20

    public init() {}

    /// Bytes of the longest request: the file and its use.
    public var requestBytes: Int { sourceBytes + 1_024 }
    /// Bytes of the longest answer: a losslessly encoded picture may be larger than its file.
    public var answerBytes: Int { 4 * sourceBytes + (1 << 20) }
    /// How long to wait for a process that does not answer. Under load it may get a quarter of a processor.
    public var responseTimeout: Duration { .seconds(4 * seconds + 5) }

    // MARK: - On the command line

    private static let fields: [(name: String, path: WritableKeyPath<PictureLimits, Int> & Sendable)] = [
        ("source", \.sourceBytes), ("pixels", \.pixels), ("seconds", \.seconds), ("memory", \.memoryBytes),
    ]

    /// `source=…`, `pixels=…`, `seconds=…` and `memory=…`.
    public var arguments: [String] { Self.fields.map { "\($0.name)=\(self[keyPath: $0.path])" } }

    /// Parses ``arguments``.
    ///
    /// - Returns: nil when they do not have that form.
    public init?(arguments: [String]) {
        guard arguments.count == Self.fields.count else { return nil }
        for (field, argument) in zip(Self.fields, arguments) {
            guard argument.hasPrefix(field.name + "="), let number = Int(argument.dropFirst(field.name.count + 1)),
                number >= 0
            else { return nil }
            self[keyPath: field.path] = number
        }
    }
}
