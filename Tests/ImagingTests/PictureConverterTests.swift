import Testing

@testable import PictureMessages

@testable import Imaging

@Suite("Imaging / recoding", .serialized)
struct PictureConverterTests {
    init() throws { try Self.started.get() }

    /// The library starts once for each process.
    private static let started = Result { try PictureConverter.prepare() }

    private func recode(
        _ bytes: [UInt8], for use: PictureUse = .article, pixels: Int = 50_000_000
    ) throws -> RecodedPicture {
        var limits = PictureLimits()
        limits.pixels = pixels
        return try PictureConverter.recode(bytes, for: use, within: limits).get()
    }

    private func refusal(_ bytes: [UInt8], pixels: Int = 50_000_000) -> PictureRefusal? {
        do { _ = try recode(bytes, pixels: pixels) } catch { return error as? PictureRefusal }
        return nil
    }

    @Test("a photo is turned upright, and its metadata is removed")
    func upright() throws {
        let picture = try recode(Pictures.photo)
        #expect(picture.width == 4 && picture.height == 8)
        let text = String(decoding: picture.bytes, as: UTF8.self)
        #expect(!text.contains("home") && !text.contains("EXIF") && !text.contains("Exif") && !text.contains("ICCP"))
    }

    @Test("the same file gives the same bytes")
    func deterministic() throws {
        #expect(try recode(Pictures.photo) == recode(Pictures.photo))
        #expect(try recode(SamplePictures.svg) == recode(SamplePictures.svg))
    }

    @Test("an animation keeps its frames, except as an icon or beyond the limits")
    func animation() throws {
        let moving = try recode(Pictures.animation)
        #expect(moving.width == 6 && moving.height == 5)
        #expect(String(decoding: moving.bytes, as: UTF8.self).contains("ANMF"))
        for still in [try recode(Pictures.animation, for: .icon), try recode(Pictures.animation, pixels: 31)] {
            #expect(still.width == 6 && still.height == 5)
            #expect(!String(decoding: still.bytes, as: UTF8.self).contains("ANMF"))
        }
    }

    @Test("an SVG in a book is PNG of at most 1,024 by 768 pixels")
    func drawingsInBooks() throws {
        let svg = """
            <svg xmlns="http://www.w3.org/2000/svg" width="3000" height="1500"><rect width="3000" height="1500"/></svg>
            """
        let picture = try recode(Array(svg.utf8), for: .book)
        #expect(picture.width == 1_024 && picture.height == 512)
        #expect(picture.bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }

    @Test("a drawing is PNG in a book, also once it is stored, and an animation is GIF")
    func drawnAndMovingPicturesInBooks() throws {
        let drawing = try recode(SamplePictures.png)
        for bytes in [SamplePictures.png, drawing.bytes] {
            #expect(try recode(bytes, for: .book).bytes.starts(with: [0x89, 0x50, 0x4E, 0x47]))
        }
        let stored = try recode(Pictures.animation)
        for bytes in [Pictures.animation, stored.bytes] {
            let moving = try recode(bytes, for: .book)
            #expect(moving.width == 6 && moving.height == 5 && moving.isPlausible(for: .book))
            #expect(moving.bytes.starts(with: Array("GIF89a".utf8)))
            // Each frame has a graphic control extension.
            let frames = zip(moving.bytes, moving.bytes.dropFirst()).count { $0 == 0x21 && $1 == 0xF9 }
            #expect(frames > 1)
        }
    }

    @Test("a picture of a book is JPEG, or PNG where something shines through")
    func books() throws {
        let photo = try recode(Pictures.photo, for: .book)
        #expect(photo.bytes.starts(with: [0xFF, 0xD8, 0xFF]) && photo.width == 4 && photo.height == 8)
        #expect(try recode(SamplePictures.svg, for: .book).isPlausible(for: .book))
        #expect(try recode(Pictures.animation, for: .book).isPlausible(for: .book))
        #expect(try recode(Pictures.photo, for: .book) == photo)
        #expect(Self.components(photo.bytes) == 3)
    }

    @Test("a cover is a JPEG of fixed size, with any title and with or without a picture")
    func covers() throws {
        CoverDrawing.prepare()
        let long = String(repeating: "A title <with> & markup, עברית 漢字. ", count: 20)
        for (title, picture) in [("Title", Pictures.photo), (long, []), ("", [1, 2, 3]), ("\u{1}\u{202E}", [])] {
            let request = CoverRequest(title: title, site: "example.org", picture: picture)
            let cover = try recode(request.bytes, for: .cover)
            #expect(cover.width == 1_000 && cover.height == 1_400 && cover.isPlausible(for: .cover))
            #expect(Self.components(cover.bytes) == 3)
        }
    }

    /// The number of colour components of a JPEG file: the byte after its size in the frame header.
    private static func components(_ bytes: [UInt8]) -> UInt8? {
        let frame = bytes.indices.first { bytes[$0...].starts(with: [0xFF, 0xC0]) }
        return frame.flatMap { $0 + 9 < bytes.count ? bytes[$0 + 9] : nil }
    }

    @Test(
        "a file that declares too many pixels is refused by its header",
        arguments: [(50_000, 50_000), (4_000_000_000, 2), (60_000, 1_000)])
    func floods(width: UInt32, height: UInt32) {
        #expect([.tooManyPixels, .unreadable].contains(refusal(Pictures.claiming(width: width, height: height))))
    }

    @Test("a file larger than the limit is refused unread")
    func tooLarge() {
        #expect(refusal(Pictures.photo + [UInt8](repeating: 0, count: PictureLimits().sourceBytes)) == .tooLarge)
    }

    @Test(
        "files that are not pictures of a supported kind are refused",
        arguments: [
            "", "<!doctype html><p>Not found", "%PDF-1.4\n1 0 obj", "#!/bin/sh\nid", "P6 1 1 255 abc",
            "II*\u{0}\u{8}\u{0}", "8BPS",
        ])
    func strangers(text: String) { #expect(refusal(Array(text.utf8)) == .notAPicture) }

    @Test("a picture that is also a file of another kind is stored as a picture alone")
    func polyglots() throws {
        let script = "<script>alert(1)</script>%PDF-1.4"
        let picture = try recode(Pictures.photo + Array(script.utf8))
        #expect(!String(decoding: picture.bytes, as: UTF8.self).contains("script"))
        let inside = Array("GIF89a".utf8) + Array("=1;alert(1)//".utf8)
        #expect(refusal(inside) == .unreadable)
    }

    @Test("an SVG is rendered without the resources it refers to")
    func drawings() throws {
        let drawing = """
            <?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" width="20" height="10" onload="alert(1)">
            <script>alert(1)</script><image href="file:///etc/passwd" width="5" height="5"/><rect width="9" height="9" fill="red"/></svg>
            """
        let picture = try recode(Array(drawing.utf8))
        #expect(picture.width == 20 && picture.height == 10)
        let huge = try recode(
            Array(
                #"<svg xmlns="http://www.w3.org/2000/svg" width="90000" height="90000"><rect width="9" height="9"/></svg>"#
                    .utf8))
        #expect(huge.width == PictureUse.article.bound.width)
    }

    @Test("deeply nested SVG is refused")
    func entities() {
        var text = #"<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa">"#
        for (name, inner) in zip("bcdefghij", "abcdefghi") {
            text += "<!ENTITY \(name) \"" + String(repeating: "&\(inner);", count: 10) + "\">"
        }
        text += #"]><svg xmlns="http://www.w3.org/2000/svg" width="10" height="10"><text>&j;</text></svg>"#
        #expect(refusal(Array(text.utf8)) != nil)
    }

    @Test("no truncated or damaged file crashes the reader")
    func damaged() {
        var random = SystemRandomNumberGenerator()
        for original in [
            Pictures.photo, Pictures.animation, SamplePictures.png, SamplePictures.svg, IconFileTests.icon(depth: 32),
        ] {
            for count in stride(from: 0, to: original.count, by: 7) { _ = refusal(Array(original.prefix(count))) }
            for _ in 0..<60 {
                var bytes = original
                for _ in 0..<3 {
                    bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
                }
                _ = refusal(bytes)
            }
        }
    }
}
