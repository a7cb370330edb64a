import CVips
import PictureMessages

/// Draws the cover of a book: title and site on a colour, above the picture of the article.
public enum CoverDrawing {
    private static let margin = 70
    /// The height of the picture, and of a cover's text without one, in pixels.
    private static let pictureHeight = 640
    private static let siteHeight = 60

    /// Text in the scripts that most readers write. Drawing it opens the fonts that this machine has for them; in the
    /// confined process no file can be opened any more, and other scripts are drawn as boxes.
    private static let samples = "Aa Яя Ωω אב عربي 漢字かな 한글 ไทย हिन्दी"

    /// Opens the fonts. A machine without fonts draws covers without text.
    public static func prepare() {
        for font in [titleFont(of: 0), titleFont(of: 80), titleFont(of: 200), siteFont] {
            if let mask = cvips_text(samples, font, 1_000, 1_000) { cvips_release(mask) }
        }
        vips_error_clear()
    }

    static func draw(_ request: CoverRequest) -> Image? {
        let size = PictureUse.cover.bound
        let colour = colour(for: request.site)
        var cover = cvips_plain(Int32(size.width), Int32(size.height), colour.red, colour.green, colour.blue)
        let hasPicture = !request.picture.isEmpty
        if hasPicture {
            // The pixels are read while the bytes of the picture are there.
            cover = request.picture.withUnsafeBytes { bytes in
                let lazy = cvips_with_picture(cover, bytes.baseAddress, bytes.count, Int32(pictureHeight))
                defer { if let lazy { cvips_release(lazy) } }
                return lazy.flatMap { cvips_decoded($0) }
            }
        }
        let height = size.height - (hasPicture ? pictureHeight : 0) - 3 * margin - siteHeight
        let width = Int32(size.width - 2 * margin)
        cover = cvips_with_text(
            cover, cvips_text(request.title, titleFont(of: request.title.count), width, Int32(height)),
            Int32(margin), Int32(2 * margin + siteHeight))
        cover = cvips_with_text(
            cover, cvips_text(request.site, siteFont, width, Int32(siteHeight)), Int32(margin), Int32(margin))
        return Image(adopting: cover)
    }

    private static let siteFont = "Sans 26"

    /// Long titles are smaller.
    private static func titleFont(of characters: Int) -> String {
        switch characters {
        case ..<60: "Sans Bold 54"
        case ..<120: "Sans Bold 42"
        default: "Sans Bold 32"
        }
    }

    /// A dark colour that a site always has, so that its books look alike on a shelf.
    private static func colour(for site: String) -> (red: Double, green: Double, blue: Double) {
        let colours: [(Double, Double, Double)] = [
            (38, 70, 83), (90, 50, 60), (45, 80, 60), (70, 60, 110), (110, 70, 35), (35, 75, 110), (85, 85, 50),
            (80, 45, 90),
        ]
        // FNV-1a: the hash of the standard library differs with every start.
        let hash = site.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        let colour = colours[Int(hash % UInt64(colours.count))]
        return (colour.0, colour.1, colour.2)
    }
}
