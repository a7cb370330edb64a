import Testing

@testable import Tar

@Suite("Tar / entries")
struct TarEntryTests {
    static let long = "documents/ab/" + String(repeating: "a", count: 86) + "é"

    /// Reads the blocks of a header.
    private func read(_ header: [UInt8]) throws(TarError) -> TarEntry? {
        var rest = header[...]
        return try TarEntry { count throws(TarError) in
            guard count <= rest.count else { throw .badHeader }
            defer { rest = rest.dropFirst(count) }
            return Array(rest.prefix(count))
        } damaged: {
            $0
        }
    }

    @Test(
        "a header that is written is read as the same entry",
        arguments: [
            TarEntry(name: "a", size: 0, modified: 0),
            TarEntry(name: "pictures/ab/é.webp", size: 513, mode: 0o640, modified: 1_790_000_000),
            TarEntry(name: long, size: 5 << 33, modified: 1),
            TarEntry(name: "b", size: 0, modified: 7, hardLink: "pictures/ab/c.webp"),
            TarEntry(name: long, size: 0, modified: 7, hardLink: long + long),
            TarEntry(name: String(repeating: "a/", count: 499) + "b", size: 1, modified: 1),
        ])
    func roundTrip(entry: TarEntry) throws {
        let header = try entry.header()
        #expect(header.count % 512 == 0 && (header.count == 512 || entry.name.utf8.count > 100))
        #expect(try read(header) == entry)
        #expect((entry.size + entry.paddingSize) % 512 == 0)
    }

    @Test("every changed bit of a header's fields is noticed")
    func damage() throws {
        let entry = TarEntry(name: "a/b", size: 77, mode: 0o640, modified: 1_790_000_000)
        let header = try entry.header()
        for index in header.indices {
            var damaged = header
            damaged[index] ^= 4
            let read = try? read(damaged)
            // What changes nothing is in the bytes after the end of the checksum.
            #expect(read == nil || (read == entry && (154..<156).contains(index)), "byte \(index)")
        }
    }

    @Test("two blocks of zeros are the end")
    func end() throws {
        #expect(TarEntry.end.count == 1024)
        #expect(try read(TarEntry.end) == nil)
    }

    @Test(
        "a name that does not fit is refused",
        arguments: ["", "a\u{0}b", String(repeating: "a", count: 1_001)])
    func badName(name: String) {
        #expect(throws: TarError.badName(name)) { try TarEntry(name: name, size: 0, modified: 0).header() }
    }
}
