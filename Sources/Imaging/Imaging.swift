import CVips
import PictureCoding

/// The library that reads and writes pictures, in a process of one main thread that is to be confined.
public enum Imaging {
    public struct NotReady: Error, CustomStringConvertible {
        public var description: String
    }

    /// Loaders that may be given what strangers made: each is wanted, and each is one more door. All others stay shut.
    private static let loaders = [
        "VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadNsgif", "VipsForeignLoadWebp", "VipsForeignLoadHeif",
        "VipsForeignLoadSvg",
    ]

    /// Starts the library and uses each of its parts once, because files cannot be opened any more after that: what it would
    /// load late is loaded now.
    public static func prepare() throws(NotReady) {
        guard cvips_start("lectern-pictures") == 0 else { throw NotReady(description: "libvips does not start: \(problem())") }
        vips_operation_block_set("VipsForeignLoad", 1)
        for loader in loaders { vips_operation_block_set(loader, 0) }
        for (name, sample) in [("PNG", Samples.png), ("SVG", Samples.svg)] {
            guard case .success = recode(sample, for: .icon, within: PictureLimits()) else {
                throw NotReady(description: "libvips reads no \(name): \(problem())")
            }
        }
    }

    /// Makes of a file the picture as it is kept. The same file gives the same bytes.
    public static func recode(
        _ bytes: [UInt8], for use: PictureUse, within limits: PictureLimits
    ) -> Result<RecodedPicture, PictureRefusal> {
        defer { vips_error_clear() }
        do throws(PictureRefusal) {
            guard bytes.count <= limits.sourceBytes else { throw .tooLarge }
            guard let kind = PictureKind(bytes) else { throw .notAPicture }
            if kind == .icon { return .success(try recode(IconFile(bytes), for: use, within: limits)) }
            return .success(try recode(bytes, kind, for: use, within: limits))
        } catch {
            return .failure(error)
        }
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
            guard let image = Image(pixels: pixels.bytes, width: pixels.width, height: pixels.height, most: use.bound.width)
            else { throw refusal() }
            return try encode(image, .icon)
        }
    }

    private static func recode(
        _ bytes: [UInt8], _ kind: PictureKind, for use: PictureUse, within limits: PictureLimits
    ) throws(PictureRefusal) -> RecodedPicture {
        guard let header = Image(header: bytes) else { throw refusal() }
        let frames = header.pages
        let pixels = header.width.multipliedReportingOverflow(by: header.pageHeight)
        // A drawing has no pixels of its own; it is drawn no larger than it is kept.
        if kind != .svg {
            guard !pixels.overflow, pixels.partialValue <= limits.pixels else { throw .tooManyPixels }
        }
        // An animation that is too much of one becomes its first frame.
        let isMoving = use != .icon && frames > 1 && (kind == .gif || kind == .webp) && frames <= Self.mostFrames
            && pixels.partialValue <= min(limits.pixels, Self.mostMovingPixels) / frames
        guard let image = Image(bytes, options: isMoving ? "[n=-1]" : "", width: use.bound.width, height: use.bound.height)
        else { throw refusal() }
        return try encode(image, kind)
    }

    /// Frames of the longest animation, and its pixels in all: what can be written again within the time a picture has.
    private static let mostFrames = 300
    private static let mostMovingPixels = 24_000_000

    // MARK: - Writing

    /// Bytes up to which a drawing is kept without loss, whatever it would be with; and pixels up to which that is tried, which
    /// takes many times as long.
    private static let smallDrawing = 128 << 10
    private static let mostDrawnPixels = 1_000_000

    private static func encode(_ image: Image, _ kind: PictureKind) throws(PictureRefusal) -> RecodedPicture {
        // Decoded here, so that a file that cannot be read fails once.
        guard let image = image.decoded() else { throw refusal() }
        let isMoving = image.pages > 1
        var best = image.webp(quality: 80, isLossless: false, effort: isMoving ? 1 : 4)
        if kind.isDrawn, !isMoving, image.width * image.pageHeight <= mostDrawnPixels,
            let exact = image.webp(quality: 80, isLossless: true, effort: 2), exact.count <= max(smallDrawing, best?.count ?? .max)
        {
            best = exact
        }
        guard let best, let picture = RecodedPicture(width: image.width, height: image.pageHeight, webp: best) else { throw refusal() }
        return picture
    }

    // MARK: - What went wrong

    private static func problem() -> String { String(cString: vips_error_buffer()) }

    private static func refusal() -> PictureRefusal {
        problem().contains("out of memory") ? .overBudget : .unreadable
    }
}
