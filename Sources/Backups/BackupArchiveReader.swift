import Crypto
import Glibc
import Tar

/// Reads a backup from start to end. Every byte is checked: the hash at the end covers all bytes before it, and the
/// manifest each entry.
final class BackupArchiveReader {
    private let file: Int32
    private let path: String
    /// The size without the hash at the end.
    private let size: Int
    private var position = 0
    private var digest = RunningDigest()
    private var buffer = [UInt8](repeating: 0, count: 1 << 18)

    private var entry: TarEntry?
    private var entryDigest = RunningDigest()
    private var rest = 0
    /// The lines of entries that no part of the manifest has listed yet.
    private var unlisted: [UInt8] = []

    /// - Parameter name: the path that errors name, if it is another.
    init(path: String, named name: String? = nil) throws(BackupError) {
        self.path = name ?? path
        file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .file(path, call: "open", code: errno) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .file(path, call: "stat", code: errno) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .file(path, call: "open", code: EINVAL) }
        size = Int(status.st_size) - BackupOutput.trailerSize
        posix_fadvise(file, 0, 0, POSIX_FADV_SEQUENTIAL)
    }

    deinit { close(file) }

    /// The next entry, without those of the manifest. What is left of the one before is read.
    ///
    /// - Returns: nil at the end, when all bytes are as they were written.
    func next() throws(BackupError) -> TarEntry? {
        while true {
            try endEntry()
            guard let found = try header() else {
                try end()
                return nil
            }
            rest = found.size
            guard found.name.hasPrefix(Manifest.folder) else {
                entry = found
                entryDigest = RunningDigest()
                return found
            }
            // A part is longer than its limit by less than a line.
            guard rest == unlisted.count, try content(limit: 2 * BackupArchiveWriter.partSize) == unlisted else {
                throw damaged("the manifest differs")
            }
            unlisted.removeAll(keepingCapacity: true)
            try skipPadding(of: found)
        }
    }

    /// The next piece of the entry's content; nil at its end.
    func piece() throws(BackupError) -> ArraySlice<UInt8>? {
        guard rest > 0 else { return nil }
        let count = min(rest, buffer.count)
        try fill(count)
        rest -= count
        entryDigest.add(buffer[..<count])
        return buffer[..<count]
    }

    /// The whole content of the entry.
    ///
    /// - Parameter limit: the largest size, in bytes.
    func content(limit: Int) throws(BackupError) -> [UInt8] {
        guard rest <= limit else { throw damaged("an entry is too large") }
        var bytes: [UInt8] = []
        while let more = try piece() { bytes += more }
        return bytes
    }

    /// Whether more than this has no place in memory until the manifest lists it.
    private var hasTooManyUnlisted: Bool { unlisted.count > 2 * BackupArchiveWriter.partSize }

    func damaged(_ reason: String) -> BackupError { .damaged(path, reason: reason) }

    // MARK: - Steps

    private func header() throws(BackupError) -> TarEntry? {
        try TarEntry { count throws(BackupError) in
            try fill(count)
            return Array(buffer[..<count])
        } damaged: {
            damaged($0.description)
        }
    }

    private func endEntry() throws(BackupError) {
        guard let ended = entry else { return }
        while try piece() != nil {}
        try skipPadding(of: ended)
        unlisted += Manifest.line(of: ended, hash: entryDigest.current())
        guard !hasTooManyUnlisted else { throw damaged("the manifest is missing") }
        entry = nil
    }

    private func skipPadding(of entry: TarEntry) throws(BackupError) {
        if entry.paddingSize > 0 { try fill(entry.paddingSize) }
    }

    private func end() throws(BackupError) {
        try fill(TarEntry.blockSize)
        guard position == size, unlisted.isEmpty, buffer[..<TarEntry.blockSize].allSatisfy({ $0 == 0 }) else {
            throw damaged("it does not end where it should")
        }
        var trailer = [UInt8](repeating: 0, count: BackupOutput.trailerSize)
        guard Descriptor.fill(&trailer, upTo: trailer.count, from: file) == trailer.count,
            trailer == Array((Digest.hex(digest.current()) + "\n").utf8)
        else { throw damaged("its SHA-256 is not the one at its end") }
    }

    private func fill(_ count: Int) throws(BackupError) {
        guard position + count <= size else { throw damaged("it ends too early") }
        let read = Descriptor.fill(&buffer, upTo: count, from: file)
        guard read >= 0 else { throw .file(path, call: "read", code: errno) }
        guard read == count else { throw damaged("it ends too early") }
        digest.add(buffer[..<count])
        position += count
    }
}
