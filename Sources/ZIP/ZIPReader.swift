import CZip
import Glibc

/// A ZIP archive on disk, whose entries are read one after the other in pieces, whatever their size.
///
/// Nothing is written under the names of entries. What is unpacked is counted over all entries, so that an archive that
/// unpacks to more than its limit is refused, whatever it says of itself.
public final class ZIPReader {
    /// Why an archive or an entry cannot be read.
    public enum Failure: Error, Equatable {
        /// The archive or the entry is damaged, or compressed by a method that is not supported.
        case damaged
        /// The entry needs a password.
        case encrypted
        /// The archive has too many entries, or unpacks to more than the limit.
        case tooLarge
        /// The name of an entry leads out of the archive's folder.
        case unsafeName
    }

    public struct Entry: Sendable, Equatable {
        public var name: String
        /// Bytes of the content, as the archive says.
        public var size: Int
        fileprivate var index: UInt64
    }

    /// All files of the archive, in its order. Folders are left out.
    public let entries: [Entry]
    private let handle: OpaquePointer
    private let limit: Int
    private var unpacked = 0

    public static let maxEntries = 200_000
    /// Bytes of the largest list of entries, which libzip reads as a whole.
    private static let maxDirectory = 64 << 20
    /// From this size on, an entry is refused that is smaller than its content by more than this factor. Text reaches a
    /// tenth of it.
    private static let (ratioFrom, maxRatio) = (256 << 20, 200)

    /// - Parameter limit: bytes to which all entries may unpack together.
    public init(path: String, limit: Int) throws(Failure) {
        guard let directory = Self.directorySize(of: path) else { throw .damaged }
        guard directory <= Self.maxDirectory else { throw .tooLarge }
        var code: Int32 = 0
        guard let handle = zip_open(path, ZIP_RDONLY, &code) else { throw .damaged }
        do throws(Failure) {
            entries = try Self.entries(of: handle, limit: limit)
        } catch {
            zip_discard(handle)
            throw error
        }
        self.handle = handle
        self.limit = limit
    }

    deinit { zip_discard(handle) }

    private static func entries(of handle: OpaquePointer, limit: Int) throws(Failure) -> [Entry] {
        let count = zip_get_num_entries(handle, 0)
        guard count <= maxEntries else { throw .tooLarge }
        var (entries, total): ([Entry], UInt64) = ([], 0)
        for index in 0..<UInt64(max(0, count)) {
            var status = zip_stat_t()
            zip_stat_init(&status)
            guard zip_stat_index(handle, index, zip_flags_t(ZIP_FL_ENC_GUESS), &status) == 0, let text = status.name
            else { throw .damaged }
            let name = String(cString: text)
            guard !name.hasSuffix("/") else { continue }
            guard !name.hasPrefix("/"), !name.hasPrefix("\\"),
                !name.split(whereSeparator: { $0 == "/" || $0 == "\\" }).contains("..")
            else { throw .unsafeName }
            guard status.encryption_method == ZIP_EM_NONE else { throw .encrypted }
            let (sum, isTooLarge) = total.addingReportingOverflow(status.size)
            guard !isTooLarge, sum <= UInt64(limit) else { throw .tooLarge }
            if status.size >= UInt64(ratioFrom), status.size / UInt64(maxRatio) > status.comp_size { throw .tooLarge }
            total = sum
            entries.append(Entry(name: name, size: Int(status.size), index: index))
        }
        return entries
    }

    /// Reads an entry in pieces.
    ///
    /// - Returns: a function that returns the next piece, and nil after the last.
    public func open(_ entry: Entry) throws(Failure) -> () throws(Failure) -> [UInt8]? {
        guard let file = zip_fopen_index(handle, entry.index, 0) else { throw .damaged }
        let content = Content(file)
        return { [self] () throws(Failure) in
            var piece = [UInt8](repeating: 0, count: 1 << 16)
            let count = zip_fread(content.file, &piece, zip_uint64_t(piece.count))
            // Also for a wrong checksum, at the end.
            guard count >= 0 else { throw .damaged }
            if count == 0 { return nil }
            unpacked += Int(count)
            guard unpacked <= limit else { throw .tooLarge }
            piece.removeLast(piece.count - Int(count))
            return piece
        }
    }

    /// The whole content of an entry.
    ///
    /// - Parameter limit: the largest content, in bytes.
    public func read(_ entry: Entry, limit: Int) throws(Failure) -> [UInt8] {
        guard entry.size <= limit else { throw .tooLarge }
        let next = try open(entry)
        var content: [UInt8] = []
        while let piece = try next() {
            guard content.count + piece.count <= limit else { throw .tooLarge }
            content += piece
        }
        return content
    }

    /// An open entry.
    private final class Content {
        let file: OpaquePointer
        init(_ file: OpaquePointer) { self.file = file }
        deinit { zip_fclose(file) }
    }

    /// The size of the list of entries, from the record at the end of the archive (APPNOTE 4.3.14 and 4.3.16); nil where
    /// there is no such record.
    private static func directorySize(of path: String) -> Int? {
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        let end = lseek(file, 0, SEEK_END)
        // The record is followed by a comment of at most 65,535 bytes, and before it is the locator of ZIP64.
        let start = max(0, end - 65_535 - 22 - 20)
        var tail = [UInt8](repeating: 0, count: Int(end - start))
        guard pread(file, &tail, tail.count, start) == tail.count, tail.count >= 22 else { return nil }
        func number(_ bytes: [UInt8], _ at: Int, _ length: Int) -> UInt64 {
            (0..<length).reduce(0) { $0 | UInt64(bytes[at + $1]) << UInt64(8 * $1) }
        }
        for place in stride(from: tail.count - 22, through: 0, by: -1)
        where tail[place] == 0x50 && number(tail, place, 4) == 0x0605_4B50 {
            let size = number(tail, place + 12, 4)
            guard size == 0xFFFF_FFFF, place >= 20, number(tail, place - 20, 4) == 0x0706_4B50 else {
                return Int(size)
            }
            var record = [UInt8](repeating: 0, count: 56)
            let offset = number(tail, place - 20 + 8, 8)
            guard offset < UInt64(end), pread(file, &record, 56, off_t(offset)) == 56 else { return nil }
            return Int(clamping: number(record, 40, 8))
        }
        return nil
    }
}
