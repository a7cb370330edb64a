import Testing

@testable import Imaging

@Suite("Imaging / icons")
struct IconFileTests {
    /// One entry of 2 × 2 pixels: blue, red above; the lower ones are masked out where there is a mask only.
    static func icon(depth: Int) -> [UInt8] {
        func long(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
        func word(_ number: Int) -> [UInt8] { Array(long(number).prefix(2)) }
        // Rows from the bottom up, padded to four bytes.
        let rows: [UInt8] = {
            switch depth {
            case 32: [0, 255, 0, 0, 0, 255, 0, 0] + [255, 0, 0, 255, 0, 0, 255, 255]
            case 24: [0, 255, 0, 0, 255, 0, 0, 0] + [255, 0, 0, 0, 0, 255, 0, 0]
            case 8: [2, 2, 0, 0] + [0, 1, 0, 0]
            case 4: [0x22, 0, 0, 0] + [0x01, 0, 0, 0]
            default: [0, 0, 0, 0] + [0x40, 0, 0, 0]
            }
        }()
        let all: [[UInt8]] = [[255, 0, 0, 0], [0, 0, 255, 0], [0, 255, 0, 0]]
        let colours: [UInt8] = depth > 8 ? [] : Array(all.prefix(depth == 1 ? 2 : 3).joined())
        let head = [
            long(40), long(2), long(4), word(1), word(depth), long(0), long(0), long(0), long(0),
            long(colours.count / 4), long(0),
        ]
        let mask: [UInt8] = [0xC0, 0, 0, 0, 0, 0, 0, 0]
        let bitmap: [UInt8] = Array(head.joined()) + colours + rows + mask
        let entry: [[UInt8]] = [
            word(0), word(1), word(1), [2, 2, 0, 0], word(1), word(depth), long(bitmap.count), long(22), bitmap,
        ]
        return Array(entry.joined())
    }

    @Test("bitmaps of every depth are decoded upright and in their colours", arguments: [1, 4, 8, 24, 32])
    func depths(depth: Int) throws {
        guard case .pixels(let pixels)? = try #require(IconFile(Self.icon(depth: depth))).best else {
            Issue.record("no pixels")
            return
        }
        #expect(pixels.width == 2 && pixels.height == 2)
        #expect(Array(pixels.bytes.prefix(8)) == [0, 0, 255, 255, 255, 0, 0, 255])
        #expect(pixels.bytes[11] == 0 && pixels.bytes[15] == 0)
    }

    @Test("an embedded PNG is returned unchanged")
    func inside() throws {
        let png = SamplePictures.png
        let icon: [UInt8] = [0, 0, 1, 0, 1, 0, 1, 1, 0, 0, 1, 0, 32, 0, UInt8(png.count), 0, 0, 0, 22, 0, 0, 0] + png
        #expect(try #require(IconFile(icon)).best == .file(png))
    }

    @Test("offsets beyond the file are rejected")
    func outside() {
        let whole = Self.icon(depth: 8)
        for place in 0..<whole.count {
            for value in [0, 1, 127, 128, 255] as [UInt8] {
                var bytes = whole
                bytes[place] = value
                _ = IconFile(bytes)?.best
            }
            _ = IconFile(Array(whole.prefix(place)))?.best
        }
    }
}
