import Testing

@testable import Imaging

@Suite("Imaging / picture kinds")
struct PictureKindTests {
    @Test(
        "a kind is recognised by the first bytes",
        arguments: [
            ([0xFF, 0xD8, 0xFF, 0xE0], PictureKind.jpeg), ([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A], .png),
            (Array("GIF89a".utf8), .gif), (Array("RIFF\0\0\0\0WEBP".utf8), .webp),
            (Array("\0\0\0\u{20}ftypavif".utf8), .avif),
            ([0, 0, 1, 0, 1, 0], .icon), (Array("<?xml version='1.0'?><svg/>".utf8), .svg),
            (Array("\u{FEFF} <svg>".utf8), .svg),
        ] as [([UInt8], PictureKind)])
    func recognised(bytes: [UInt8], kind: PictureKind) { #expect(PictureKind(bytes) == kind) }

    @Test("other files have no kind", arguments: ["", "GIF", "%PDF-1.4", "<html><body>svg", "svg <svg"])
    func unknown(text: String) { #expect(PictureKind(Array(text.utf8)) == nil) }

    @Test("PNG, GIF, SVG and icons count as drawings")
    func drawn() {
        #expect([PictureKind.png, .gif, .svg, .icon].allSatisfy { $0.isDrawn })
        #expect(![PictureKind.jpeg, .webp, .avif].contains { $0.isDrawn })
    }
}
