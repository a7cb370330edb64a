/// An ICO file, which libvips cannot read: a list of PNG files and of bitmaps without file headers.
///
/// The format: a header of 6 bytes, then 16 bytes for each entry; see "ICO (file format)" and Microsoft's
/// BITMAPINFOHEADER. No number in the file is trusted.
struct IconFile {
    enum Content: Equatable {
        /// A complete file of another format.
        case file([UInt8])
        case pixels(Pixels)
    }

    struct Pixels: Equatable {
        var width: Int
        var height: Int
        /// Four bytes for each pixel: red, green, blue, alpha; from the top.
        var bytes: [UInt8]
    }

    /// The largest number of entries that are read. Icons usually have about ten.
    private static let maxEntries = 64
    /// The largest side in pixels, as the format has it.
    private static let maxSide = 256

    private struct Entry {
        var side: Int
        var depth: Int
        var content: ArraySlice<UInt8>
    }

    private let entries: [Entry]

    /// - Returns: nil when the bytes are not an icon.
    init?(_ bytes: [UInt8]) {
        guard bytes.starts(with: [0, 0, 1, 0]), let count = Self.word(bytes[...], at: 4), count > 0 else { return nil }
        entries = (0..<min(count, Self.maxEntries)).compactMap { index in
            let place = 6 + 16 * index
            guard let size = Self.long(bytes[...], at: place + 8), let start = Self.long(bytes[...], at: place + 12),
                let depth = Self.word(bytes[...], at: place + 6), start <= bytes.count, size <= bytes.count - start
            else { return nil }
            // 0 means 256.
            let side = bytes[place] == 0 ? 256 : Int(bytes[place])
            return Entry(side: side, depth: depth, content: bytes[start..<(start + size)])
        }
    }

    /// The largest entry that can be read; among entries of one size, the one with the most colours.
    var best: Content? {
        for entry in entries.sorted(by: { ($0.side, $0.depth) > ($1.side, $1.depth) }) {
            if entry.content.starts(with: [0x89, 0x50, 0x4E, 0x47]) { return .file(Array(entry.content)) }
            if let pixels = Self.bitmap(entry.content) { return .pixels(pixels) }
        }
        return nil
    }

    // MARK: - Bitmaps

    private static func bitmap(_ data: ArraySlice<UInt8>) -> Pixels? {
        guard let header = long(data, at: 0), header >= 40, let width = long(data, at: 4),
            let doubled = long(data, at: 8),
            let depth = word(data, at: 14), let compression = long(data, at: 16), let named = long(data, at: 32),
            (1...maxSide).contains(width), (2...2 * maxSide).contains(doubled), compression == 0,
            [1, 4, 8, 24, 32].contains(depth)
        else { return nil }
        // The height counts the colours and the mask, which have the height of the icon each.
        let height = doubled / 2
        let colours = depth > 8 ? 0 : (named == 0 ? 1 << depth : named)
        guard colours <= 256, header <= data.count else { return nil }
        let palette = header
        let rows = palette + 4 * colours
        // Rows are padded to multiples of four bytes.
        let stride = (width * depth + 31) / 32 * 4
        let mask = rows + stride * height
        let maskStride = (width + 31) / 32 * 4
        guard mask <= data.count else { return nil }
        let hasMask = mask + maskStride * height <= data.count
        func byte(_ place: Int) -> UInt8 { data[data.startIndex + place] }

        var bytes = [UInt8](repeating: 0, count: 4 * width * height)
        var isSeeThrough = false
        for y in 0..<height {
            // Rows are stored from the bottom up.
            let row = rows + stride * (height - 1 - y)
            let maskRow = mask + maskStride * (height - 1 - y)
            for x in 0..<width {
                let target = 4 * (y * width + x)
                var colour = row + x * (depth / 8)
                if depth <= 8 {
                    let bit = x * depth
                    let index = Int(byte(row + bit / 8)) >> (8 - depth - bit % 8) & (1 << depth - 1)
                    guard index < colours else { continue }
                    colour = palette + 4 * index
                }
                bytes[target] = byte(colour + 2)
                bytes[target + 1] = byte(colour + 1)
                bytes[target + 2] = byte(colour)
                let isMasked = hasMask && byte(maskRow + x / 8) >> (7 - x % 8) & 1 == 1
                let alpha: UInt8 = depth == 32 ? byte(colour + 3) : isMasked ? 0 : 255
                bytes[target + 3] = alpha
                isSeeThrough = isSeeThrough || alpha != 0
            }
        }
        // Old icons of 32 bits leave the alpha byte empty.
        if !isSeeThrough, depth == 32 { for pixel in 0..<(width * height) { bytes[4 * pixel + 3] = 255 } }
        return Pixels(width: width, height: height, bytes: bytes)
    }

    // MARK: - Little-endian numbers; nil beyond the end

    private static func word(_ bytes: ArraySlice<UInt8>, at place: Int) -> Int? {
        guard place >= 0, place + 2 <= bytes.count else { return nil }
        return Int(bytes[bytes.startIndex + place]) | Int(bytes[bytes.startIndex + place + 1]) << 8
    }

    private static func long(_ bytes: ArraySlice<UInt8>, at place: Int) -> Int? {
        guard let low = word(bytes, at: place), let high = word(bytes, at: place + 2) else { return nil }
        return low | high << 16
    }
}
