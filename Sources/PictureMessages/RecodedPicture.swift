/// A picture as it is stored: WebP, upright, in sRGB, without metadata. For a book: JPEG, PNG or GIF.
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

    /// Whether the picture has the form of its use. A hostile original may have taken over the process that made it, so
    /// it is not trusted.
    func isPlausible(for use: PictureUse) -> Bool {
        guard (1...Self.maxSide).contains(width), (1...Self.maxSide).contains(height) else { return false }
        return use == .book || use == .cover ? isInBookForm : WebPFile.isPure(bytes)
    }

    /// Whether the file begins and ends like a JPEG, PNG or GIF file.
    private var isInBookForm: Bool {
        let isJPEG = bytes.starts(with: [0xFF, 0xD8, 0xFF]) && bytes.suffix(2) == [0xFF, 0xD9]
        let isPNG =
            bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
            && bytes.suffix(8) == [0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82]
        let isGIF = bytes.starts(with: Array("GIF89a".utf8)) && bytes.last == 0x3B
        return isJPEG || isPNG || isGIF
    }
}
