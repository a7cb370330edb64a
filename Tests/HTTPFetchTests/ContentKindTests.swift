import Testing

@testable import HTTPFetch

@Suite("HTTPFetch / content kind")
struct ContentKindTests {
    @Test(
        "the media type decides the declared kind",
        arguments: [
            ("text/html", .html), ("application/xhtml+xml", .html), ("text/plain", .text), ("text/markdown", .markdown),
            ("application/pdf", .pdf), ("image/png", .image), ("image/svg+xml", .other), ("audio/mpeg", .audio),
            ("video/mp4", .video), ("application/zip", .other), ("application/octet-stream", .unclear),
            ("text/xml", .unclear),
        ] as [(String, ContentKind)])
    func declared(type: String, kind: ContentKind) { #expect(ContentKind(header: ContentType(type)) == kind) }

    @Test("without a media type the kind is unclear")
    func missing() { #expect(ContentKind(header: nil) == .unclear) }

    @Test(
        "the first bytes correct the declared kind",
        arguments: [
            ("%PDF-1.7", .html, .pdf), ("\u{89}", .html, .html), ("GIF89a", .unclear, .image),
            ("<html>", .unclear, .html),
            ("plain", .unclear, .other), ("a\u{0}b", .text, .other), ("<!doctype html>", .pdf, .html),
            ("x", .image, .image),
            ("PK\u{3}\u{4}", .text, .other), ("<!-- a --><html>", .unclear, .html),
        ] as [(String, ContentKind, ContentKind)])
    func sniffed(start: String, declared: ContentKind, kind: ContentKind) {
        #expect(ContentKind.sniffed(Array(start.utf8)[...], declared: declared) == kind)
    }
}
