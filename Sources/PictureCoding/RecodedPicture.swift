/// A picture as it is kept: WebP, upright, in sRGB, without any other word in it.
public struct RecodedPicture: Equatable, Sendable {
    /// Pixels; of an animation, those of a frame.
    public var width: Int
    public var height: Int
    public var bytes: [UInt8]

    /// Pixels a side that WebP can have.
    static let mostPixels = 16_383

    public init(width: Int, height: Int, bytes: [UInt8]) {
        self.width = width
        self.height = height
        self.bytes = bytes
    }

    /// - Parameter webp: as it was written, with whatever the writer says of it; that is left out.
    /// - Returns: nil for what is no whole file.
    public init?(width: Int, height: Int, webp: [UInt8]) {
        guard let bytes = WebPFile.pure(webp) else { return nil }
        self.init(width: width, height: height, bytes: bytes)
    }

    /// Whether this may be what it says. Whoever made it has seen the original, and is not to be believed.
    var isPlausible: Bool {
        (1...Self.mostPixels).contains(width) && (1...Self.mostPixels).contains(height) && WebPFile.isPure(bytes)
    }
}
