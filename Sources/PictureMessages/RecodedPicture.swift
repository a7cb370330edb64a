/// A picture as it is stored: WebP, upright, in sRGB, without metadata.
public struct RecodedPicture: Equatable, Sendable {
    /// Size in pixels; for an animation, that of one frame.
    public var width: Int
    public var height: Int
    public var bytes: [UInt8]

    /// The largest side of a WebP picture in pixels.
    static let maxSide = 16_383

    public init(width: Int, height: Int, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// - Parameter webp: the file as it was encoded; its metadata is removed.
    /// - Returns: nil where the file is incomplete.
    public init?(width: Int, height: Int, webp: [UInt8]) {
        guard let bytes = WebPFile.pure(webp) else { return nil }
        self.init(width: width, height: height, bytes: bytes)
    }

    /// Whether the picture has the stored form. A hostile original may have taken over the process that made it, so it
    /// is not trusted.
    var isPlausible: Bool {
        (1...Self.maxSide).contains(width) && (1...Self.maxSide).contains(height) && WebPFile.isPure(bytes)
    }
}
