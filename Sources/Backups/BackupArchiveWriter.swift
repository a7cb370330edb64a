import Crypto
import Glibc
import Tar

/// Writes the entries of a backup, and after every few thousand a part of the manifest with their hashes and sizes.
final class BackupArchiveWriter {
    private let output: BackupOutput
    private var manifest: [UInt8] = []
    private var parts = 0
    private(set) var files = 0
    /// The first name of files that have several.
    private var names: [FileID: String] = [:]
    private var buffer = [UInt8](repeating: 0, count: 1 << 18)

    /// The size from which a part of the manifest is written, in bytes.
    static let partSize = 1 << 19

    init(_ output: BackupOutput) { self.output = output }

    func add(_ name: String, _ content: ArraySlice<UInt8>, modified: Int) throws {
        let entry = TarEntry(name: name, size: content.count, modified: modified)
        try output.write(entry.header()[...])
        try output.write(content)
        try end(entry, hash: Digest.sha256(content))
    }

    /// Copies a file. Another name of a file that is in the backup already becomes a hard link to it.
    ///
    /// - Returns: false if there is no such file.
    func add(file path: String, as name: String) throws -> Bool {
        guard let source = try SourceFile(path) else { return false }
        files += 1
        if let id = source.sharedID, let first = names[id] {
            let entry = TarEntry(
                name: name, size: 0, mode: source.mode, modified: source.modified, hardLink: first)
            try output.write(entry.header()[...])
            try end(entry, hash: [])
            return true
        }
        let entry = TarEntry(name: name, size: source.size, mode: source.mode, modified: source.modified)
        try output.write(entry.header()[...])
        try end(
            entry, hash: source.read(into: &buffer) { piece throws(BackupError) in try output.write(piece) })
        if let id = source.sharedID { names[id] = name }
        return true
    }

    /// Counts a file that is kept beside the archive.
    func countFile() { files += 1 }

    /// Ends the archive.
    func finish() throws {
        try writeManifest()
        try output.write(TarEntry.end[...])
        try output.finish()
    }

    private func end(_ entry: TarEntry, hash: [UInt8]) throws {
        try output.write([UInt8](repeating: 0, count: entry.paddingSize)[...])
        manifest += Manifest.line(of: entry, hash: hash)
        if manifest.count >= Self.partSize { try writeManifest() }
    }

    private func writeManifest() throws {
        guard !manifest.isEmpty else { return }
        parts += 1
        let entry = TarEntry(name: Manifest.name(ofPart: parts), size: manifest.count, modified: time(nil))
        try output.write(entry.header()[...])
        try output.write(manifest[...])
        try output.write([UInt8](repeating: 0, count: entry.paddingSize)[...])
        manifest.removeAll(keepingCapacity: true)
    }
}

/// The list of all entries of a backup in parts, each after the entries it lists: lines of the SHA-256 in hexadecimal, the
/// size in bytes and the name.
enum Manifest {
    static let folder = "manifest/"

    static func name(ofPart number: Int) -> String { folder + Numbered.name(number) }

    static func line(of entry: TarEntry, hash: [UInt8]) -> [UInt8] {
        let content = entry.hardLink.map { "same as \($0)" } ?? "\(Digest.hex(hash)) \(entry.size)"
        return Array("\(content) \(entry.name)\n".utf8)
    }
}

enum Numbered {
    /// Six digits, so that names are in the order of numbers.
    static func name(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 6 - digits.count)) + digits
    }
}
