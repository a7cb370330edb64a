import Foundation
import Testing

@testable import Pictures

@Suite("Pictures / files")
struct PictureFolderTests {
    private func withFolder(_ body: (PictureFolder) throws -> Void) throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("pictures-\(UUID().uuidString)").path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try body(PictureFolder(path: path))
    }

    private func content(_ folder: PictureFolder, _ address: PictureAddress) -> Data? {
        FileManager.default.contents(atPath: "\(folder.path)/\(address.path)")
    }

    @Test("a written file is complete under its name")
    func written() throws {
        try withFolder { folder in
            let address = PictureAddress()
            try folder.write([1, 2, 3], to: address)
            #expect(folder.holds(address))
            #expect(content(folder, address) == Data([1, 2, 3]))
            var found: [PictureAddress] = []
            folder.forEachFile {
                found.append($0); #expect($1 < 60)
            }
            #expect(found == [address])
        }
    }

    @Test("one of two names can be removed without the other")
    func linked() throws {
        try withFolder { folder in
            let (one, other) = (PictureAddress(), PictureAddress())
            try folder.write([1, 2, 3], to: one)
            #expect(try folder.link(one, as: other))
            #expect(folder.remove(one) && folder.remove(one))
            #expect(!folder.holds(one))
            #expect(content(folder, other) == Data([1, 2, 3]))
            #expect(try !folder.link(one, as: PictureAddress()))
        }
    }

    @Test("a missing folder holds and accepts no file, and differs from an empty one")
    func missing() throws {
        try withFolder { #expect($0.exists) }
        let folder = PictureFolder(path: "/nonexistent/pictures")
        #expect(!folder.exists && !folder.holds(PictureAddress()))
        #expect(throws: PictureFolder.Failure.self) { try folder.write([1], to: PictureAddress()) }
        #expect(folder.remove(PictureAddress()))
        folder.forEachFile { _, _ in Issue.record("a file") }
    }

    @Test(
        "an address is random, and a path that leaves the folder is not an address",
        arguments: [
            "", "../../etc/passwd", "ab/../../../../../../../../../../../../../../x.webp",
            "ab/" + String(repeating: "b", count: 40) + ".webp",
            "ab/ab" + String(repeating: "0", count: 38) + ".html",
            "AB/AB" + String(repeating: "0", count: 38) + ".webp",
        ])
    func addresses(path: String) throws {
        #expect(PictureAddress(path) == nil)
        let address = PictureAddress()
        #expect(address != PictureAddress())
        #expect(PictureAddress(address.path) == address)
    }
}
