import CVips

/// One picture of libvips, released with this object. The frames of an animation are stacked vertically.
final class Image {
    private let handle: UnsafeMutablePointer<VipsImage>
    /// The bytes from which libvips reads pixels on demand; they must live as long as the picture.
    private let source: SourceBytes?

    private init?(_ handle: UnsafeMutablePointer<VipsImage>?, reading source: SourceBytes? = nil) {
        guard let handle else { return nil }
        self.handle = handle
        self.source = source
    }

    /// Takes over a picture of libvips.
    convenience init?(adopting handle: UnsafeMutablePointer<VipsImage>?) { self.init(handle) }

    deinit { cvips_release(handle) }

    /// Reads the header of a file without decoding the pixels.
    convenience init?(header bytes: [UInt8]) {
        let source = SourceBytes(bytes)
        self.init(cvips_open(source.start, source.count, ""), reading: source)
    }

    /// - Parameters:
    ///   - options: options of the loader, such as `[n=-1]` for all frames.
    ///   - width: the largest width of a frame in pixels.
    ///   - height: the largest height of a frame in pixels.
    convenience init?(_ bytes: [UInt8], options: String, width: Int, height: Int) {
        let source = SourceBytes(bytes)
        self.init(
            cvips_thumbnail(source.start, source.count, options, Int32(clamping: width), Int32(clamping: height)),
            reading: source)
    }

    /// - Parameters:
    ///   - pixels: four bytes for each pixel: red, green, blue, alpha.
    ///   - maxSide: the largest side of the result in pixels.
    convenience init?(pixels: [UInt8], width: Int, height: Int, maxSide: Int) {
        guard pixels.count == width * height * 4 else { return nil }
        self.init(
            pixels.withUnsafeBytes {
                cvips_thumbnail_of_pixels(
                    $0.baseAddress, Int32(clamping: width), Int32(clamping: height), Int32(clamping: maxSide))
            })
    }

    /// Whether the picture can be decoded as it is: upright, in sRGB, and not larger than this.
    func isPlain(width: Int, height: Int) -> Bool {
        cvips_is_plain(handle) != 0 && self.width <= width && pageHeight <= height
    }

    var width: Int { Int(vips_image_get_width(handle)) }
    var pages: Int { max(1, Int(cvips_pages(handle))) }
    /// Height in pixels; for an animation, that of one frame.
    var pageHeight: Int { max(1, Int(cvips_page_height(handle))) }

    /// The picture with all its pixels in memory.
    func decoded() -> Image? { Image(cvips_decoded(handle)) }

    /// - Parameters:
    ///   - quality: 0 to 100.
    ///   - effort: 0 to 6, the slowest.
    func webp(quality: Int32, isLossless: Bool, effort: Int32) -> [UInt8]? {
        var bytes: UnsafeMutableRawPointer?
        var count = 0
        let status = cvips_save_webp(handle, quality, isLossless ? 1 : 0, effort, &bytes, &count)
        return Self.taken(bytes, count, status)
    }

    /// Whether the picture has no transparent parts.
    var isOpaque: Bool { cvips_is_opaque(handle) != 0 }

    /// Transparent parts of the picture are white in the JPEG.
    ///
    /// - Parameter quality: 0 to 100.
    func jpeg(quality: Int32) -> [UInt8]? {
        var bytes: UnsafeMutableRawPointer?
        var count = 0
        let status = cvips_save_jpeg(handle, quality, &bytes, &count)
        return Self.taken(bytes, count, status)
    }

    func png() -> [UInt8]? {
        var bytes: UnsafeMutableRawPointer?
        var count = 0
        let status = cvips_save_png(handle, &bytes, &count)
        return Self.taken(bytes, count, status)
    }

    /// All frames of an animation, with at most 256 colours.
    func gif() -> [UInt8]? {
        var bytes: UnsafeMutableRawPointer?
        var count = 0
        let status = cvips_save_gif(handle, &bytes, &count)
        return Self.taken(bytes, count, status)
    }

    /// The bytes that libvips has written, which are freed; nil where it has failed.
    private static func taken(_ bytes: UnsafeMutableRawPointer?, _ count: Int, _ status: Int32) -> [UInt8]? {
        guard let bytes else { return nil }
        defer { cvips_free(bytes) }
        return status == 0 ? Array(UnsafeRawBufferPointer(start: bytes, count: count)) : nil
    }
}

/// Bytes at a fixed address.
private final class SourceBytes {
    private let bytes: UnsafeMutableRawBufferPointer

    init(_ content: [UInt8]) {
        bytes = .allocate(byteCount: max(1, content.count), alignment: 16)
        bytes.copyBytes(from: content)
        count = content.count
    }

    deinit { bytes.deallocate() }

    let count: Int
    var start: UnsafeRawPointer? { UnsafeRawPointer(bytes.baseAddress) }
}
