import CVips
import PictureMessages

/// Reads and writes pictures with libvips, in a process that is confined after the preparation.
public enum PictureConverter {
    public struct NotReady: Error, CustomStringConvertible {
        public var description: String
    }

    /// The loaders that may read untrusted files. Each of them enlarges the attack surface, so all others are blocked.
    private static let loaders = [
        "VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadNsgif", "VipsForeignLoadWebp",
        "VipsForeignLoadHeif",
        "VipsForeignLoadSvg",
    ]

    /// Starts the library and uses each of its parts once, so that it loads all its files before the process is
    /// confined and cannot open files any more.
    public static func prepare() throws(NotReady) {
        guard cvips_start("lectern-pictures") == 0 else {
            throw NotReady(description: "libvips does not start: \(lastError())")
        }
        vips_operation_block_set("VipsForeignLoad", 1)
        for loader in loaders { vips_operation_block_set(loader, 0) }
        for (name, sample) in [("PNG", SamplePictures.png), ("SVG", SamplePictures.svg)] {
            for use in [PictureUse.icon, .book] {
                guard case .success = recode(sample, for: use, within: PictureLimits()) else {
                    throw NotReady(description: "libvips cannot convert \(name): \(lastError())")
                }
            }
        }
    }

    /// Decodes a file and encodes its picture as it is stored. The same file gives the same bytes.
    public static func recode(
        _ bytes: [UInt8], for use: PictureUse, within limits: PictureLimits
    ) -> Result<RecodedPicture, PictureRefusal> {
        defer { vips_error_clear() }
        do throws(PictureRefusal) {
            guard bytes.count <= limits.sourceBytes else { throw .tooLarge }
            if use == .cover { return .success(try cover(bytes)) }
            guard let kind = PictureKind(bytes) else { throw .notAPicture }
            if kind == .icon { return .success(try recode(IconFile(bytes), for: use, within: limits)) }
            return .success(try recode(bytes, kind, for: use, within: limits))
        } catch {
            return .failure(error)
        }
    }

    private static func cover(_ bytes: [UInt8]) throws(PictureRefusal) -> RecodedPicture {
        guard let request = CoverRequest(bytes) else { throw .notAPicture }
        guard let cover = CoverDrawing.draw(request), let jpeg = cover.jpeg(quality: coverQuality) else {
            throw refusal()
        }
        return RecodedPicture(width: cover.width, height: cover.pageHeight, bytes: jpeg)
    }

    private static func recode(
        _ icons: IconFile?, for use: PictureUse, within limits: PictureLimits
    ) throws(PictureRefusal) -> RecodedPicture {
        guard let best = icons?.best else { throw .unreadable }
        switch best {
        case .file(let bytes):
            guard PictureKind(bytes) == .png else { throw .unreadable }
            return try recode(bytes, .png, for: use, within: limits)
        case .pixels(let pixels):
            guard
                let image = Image(
                    pixels: pixels.bytes, width: pixels.width, height: pixels.height, maxSide: use.bound.width)
            else { throw refusal() }
            return try encode(image, isDrawn: true, for: use)
        }
    }

    private static func recode(
        _ bytes: [UInt8], _ kind: PictureKind, for use: PictureUse, within limits: PictureLimits
    ) throws(PictureRefusal) -> RecodedPicture {
        guard let header = Image(header: bytes) else { throw refusal() }
        let frames = header.pages
        let pixels = header.width.multipliedReportingOverflow(by: header.pageHeight)
        // An SVG has no pixels of its own; it is rendered at the size at which it is stored.
        if kind != .svg {
            guard !pixels.overflow, pixels.partialValue <= limits.pixels else { throw .tooManyPixels }
        }
        // Drawings are stored without loss.
        let isDrawn = kind.isDrawn || kind == .webp && WebPFile.isLossless(bytes)
        // The pictures that the server stores need no conversion of size and colours, which takes longer than decoding.
        if use == .book, kind == .webp, frames == 1, header.isPlain(width: use.bound.width, height: use.bound.height) {
            return try encode(header, isDrawn: isDrawn, for: use)
        }
        // Of an animation beyond the limits, only the first frame is stored.
        let isMoving =
            use != .icon && frames > 1 && (kind == .gif || kind == .webp) && frames <= Self.maxFrames
            && pixels.partialValue <= min(limits.pixels, Self.maxAnimationPixels) / frames
        let bound = use == .book && kind == .svg ? Self.boundOfDrawingInBook : use.bound
        guard
            let image = Image(bytes, options: isMoving ? "[n=-1]" : "", width: bound.width, height: bound.height)
        else { throw refusal() }
        if isMoving, use == .book {
            if let book = animationInBook(image) { return book }
            vips_error_clear()
            guard let first = Image(bytes, options: "", width: bound.width, height: bound.height) else {
                throw refusal()
            }
            return try encode(first, isDrawn: isDrawn, for: use)
        }
        return try encode(image, isDrawn: isDrawn, for: use)
    }

    /// The limits of an animation, which must be encoded within a picture's time limit: its frames, and their pixels
    /// together.
    private static let maxFrames = 300
    private static let maxAnimationPixels = 24_000_000

    // MARK: - Writing

    /// Bytes up to which a drawing is stored without loss, even where the lossy file is smaller; and pixels up to which
    /// lossless encoding is tried, which takes many times as long.
    private static let smallDrawing = 128 << 10
    private static let maxLosslessPixels = 1_000_000

    /// The largest size in pixels of an SVG in a book.
    private static let boundOfDrawingInBook = (width: 1_024, height: 768)
    /// The quality of photographs in books.
    private static let bookQuality: Int32 = 90
    private static let coverQuality: Int32 = 80
    /// Bytes of an animation in a book. Of a larger one, or one with damaged frames, the book has the first frame.
    private static let maxAnimationInBook = 8_000_000

    /// An animation as GIF, which all e-readers can show; nil where it is too large or a frame is damaged.
    private static func animationInBook(_ image: Image) -> RecodedPicture? {
        guard let image = image.decoded(), let bytes = image.gif(), bytes.count <= maxAnimationInBook else {
            return nil
        }
        return RecodedPicture(width: image.width, height: image.pageHeight, bytes: bytes)
    }

    /// - Parameter isDrawn: whether the picture is a drawing, whose lines stay sharp.
    private static func encode(
        _ image: Image, isDrawn: Bool, for use: PictureUse
    ) throws(PictureRefusal) -> RecodedPicture {
        // The picture is decoded once, before both encodings.
        guard let image = image.decoded() else { throw refusal() }
        if use == .book {
            let isPhoto = !isDrawn && image.isOpaque
            guard let bytes = isPhoto ? image.jpeg(quality: bookQuality) : image.png() else { throw refusal() }
            return RecodedPicture(width: image.width, height: image.pageHeight, bytes: bytes)
        }
        let isMoving = image.pages > 1
        var best = image.webp(quality: 80, isLossless: false, effort: isMoving ? 1 : 4)
        if isDrawn, !isMoving, image.width * image.pageHeight <= maxLosslessPixels,
            let exact = image.webp(quality: 80, isLossless: true, effort: 2),
            exact.count <= max(smallDrawing, best?.count ?? .max)
        {
            best = exact
        }
        guard let best, let picture = RecodedPicture(width: image.width, height: image.pageHeight, webp: best)
        else { throw refusal() }
        return picture
    }

    // MARK: - Errors

    private static func lastError() -> String { String(cString: vips_error_buffer()) }

    private static func refusal() -> PictureRefusal {
        lastError().contains("out of memory") ? .overBudget : .unreadable
    }
}
