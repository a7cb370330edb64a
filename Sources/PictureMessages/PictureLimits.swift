import Confinement

/// The limits for reading one picture.
public struct PictureLimits: ProcessLimits {
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

    public static let fields: [Field] = [
        ("source", \.sourceBytes), ("pixels", \.pixels), ("seconds", \.seconds), ("memory", \.memoryBytes),
    ]
}
