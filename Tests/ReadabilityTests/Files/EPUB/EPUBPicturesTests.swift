import Foundation
import HTML
import Testing

@testable import Readability

@Suite("Readability / pictures of books")
struct EPUBPicturesTests {
    private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 1, 2, 3]

    private func pictures(_ parts: [String: [UInt8]]) -> EPUBPictures {
        EPUBPictures { path, limit in parts[path].flatMap { $0.count <= limit ? $0 : nil } }
    }

    @Test(
        "a picture becomes a data URL of its type, whatever its name says",
        arguments: [
            (Self.png, "data:image/png;base64,iVBORw0KGgoBAgM="), ([0xFF, 0xD8, 0xFF], "data:image/jpeg;base64,/9j/"),
            (Array("GIF89a".utf8), "data:image/gif;base64,R0lGODlh"),
            (Array("RIFF____WEBP".utf8), "data:image/webp;base64,UklGRl9fX19XRUJQ"),
        ])
    func types(picture: [UInt8], address: String) {
        var pictures = pictures(["a.bin": picture])
        let found = pictures.address(of: "a.bin")
        #expect(found == address && pictures.bytes == address.utf8.count)
    }

    @Test("other files and missing ones have no address", arguments: ["<svg/>", "no picture", ""])
    func others(content: String) {
        var pictures = pictures(["a.png": Array(content.utf8)])
        let found = [pictures.address(of: "a.png"), pictures.address(of: "b.png")]
        #expect(found == [nil, nil] && pictures.bytes == 0)
    }

    @Test("the largest picture survives the sanitizer, and a larger one has no address")
    func largest() throws {
        let largest = Self.png + [UInt8](repeating: 0, count: 390_000 - Self.png.count)
        var pictures = pictures(["a": largest, "b": largest + [0]])
        let found = pictures.address(of: "a")
        let address = try #require(found)
        let clean = try Sanitizer().sanitize("<p><img src=\"\(address)\">")
        #expect(clean.contains(address))
        let larger = pictures.address(of: "b")
        #expect(larger == nil)
    }

    @Test("the first pictures of a book are taken, and no more than the sanitizer keeps")
    func total() throws {
        let large = Self.png + [UInt8](repeating: 0, count: 380_000)
        var pictures = pictures(["a": large, "small": Self.png])
        let addresses = (0..<9).compactMap { _ in pictures.address(of: "a") }
        let small = pictures.address(of: "small")
        #expect(addresses.count == 4 && small != nil)
        let page = addresses.map { "<p><img src=\"\($0)\">" }.joined()
        let clean = try Sanitizer().sanitize(page)
        #expect(clean.components(separatedBy: addresses[0]).count == 5)
    }

    @Test("files that are no pictures are not read without end")
    func budget() {
        var reads = 0
        var pictures = EPUBPictures { _, limit in
            reads += 1
            return [UInt8](repeating: 0, count: min(limit, 300_000))
        }
        let found = (0..<1_000).compactMap { pictures.address(of: "\($0)") }
        #expect(found.isEmpty && reads < 100)
    }
}
