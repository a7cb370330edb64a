import CZip
import Glibc

/// A new ZIP archive. Entries are added first, and written together in that order, so that at most one entry is in
/// memory at a time.
public struct ZIPFile: ~Copyable {
    public enum Method: Sendable {
        case stored, deflated
        /// With the least effort, for content that is compressed already.
        case deflatedQuickly
    }

    private let handle: OpaquePointer
    private let failure = ZIPSourceFailure()
    private let time: (date: UInt16, time: UInt16)
    /// Whether the archive was closed, which frees the handle.
    private var isClosed = false

    /// - Parameters:
    ///   - path: the path of the file; an existing file is replaced.
    ///   - modified: the modification time of all entries, in seconds since 1970. The same content gives the same
    ///     bytes.
    public init(at path: String, modified: Int) throws(ZIPError) {
        var code: Int32 = 0
        guard let handle = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, &code) else {
            var error = zip_error_t()
            zip_error_init_with_code(&error, code)
            defer { zip_error_fini(&error) }
            throw ZIPError(&error)
        }
        self.handle = handle
        time = Self.dosTime(modified)
    }

    deinit { if !isClosed { zip_discard(handle) } }

    /// Adds an entry with these bytes. The header of a stored entry holds nothing but its name, as EPUB requires for
    /// the first entry.
    public mutating func add(_ name: String, _ bytes: [UInt8], _ method: Method = .deflated) throws(ZIPError) {
        var rest: [UInt8]? = bytes
        try add(
            name,
            ZIPEntrySource(size: bytes.count, failure: failure) {
                defer { rest = nil }
                return rest
            }, method)
    }

    /// Adds an entry whose bytes are produced when it is written, on the writing thread.
    ///
    /// - Parameters:
    ///   - size: the number of bytes; nil: unknown before the end.
    ///   - method: how the entry is compressed.
    ///   - next: returns the next piece, or nil after the last. Its error ends the writing.
    public mutating func add(
        _ name: String, size: Int? = nil, _ method: Method = .deflated, from next: @escaping () throws -> [UInt8]?
    ) throws(ZIPError) {
        try add(name, ZIPEntrySource(size: size, failure: failure, next: next), method)
    }

    /// Writes all entries.
    ///
    /// - Throws: the error of a producer, or ``ZIPError``. The path then holds no archive.
    public consuming func write() throws {
        isClosed = zip_close(handle) == 0
        guard !isClosed else { return }
        throw failure.error ?? ZIPError(zip_get_error(handle))
    }

    private mutating func add(_ name: String, _ producer: ZIPEntrySource, _ method: Method) throws(ZIPError) {
        // The name must be relative, without `.` and `..`, and valid on every system.
        let parts = name.split(separator: "/", omittingEmptySubsequences: false)
        guard name.utf8.count < 1_024, !name.utf8.contains(where: { $0 < 0x20 || $0 == UInt8(ascii: "\\") }),
            parts.allSatisfy({ !$0.isEmpty && $0 != "." && $0 != ".." })
        else { throw .badName(name) }
        let box = Unmanaged.passRetained(producer)
        guard let source = zip_source_function(handle, produce, box.toOpaque()) else {
            box.release()
            throw ZIPError(zip_get_error(handle))
        }
        // libzip frees the source when the archive is closed, which releases the box.
        let index = zip_file_add(handle, name, source, zip_flags_t(ZIP_FL_ENC_UTF_8))
        guard index >= 0 else {
            zip_source_free(source)
            throw ZIPError(zip_get_error(handle))
        }
        let code = method == .stored ? ZIP_CM_STORE : ZIP_CM_DEFLATE
        let level: zip_uint32_t = method == .deflatedQuickly ? 1 : 0
        guard zip_set_file_compression(handle, zip_uint64_t(index), code, level) == 0,
            zip_file_set_dostime(handle, zip_uint64_t(index), time.time, time.date, 0) == 0
        else { throw ZIPError(zip_get_error(handle)) }
    }

    /// A time in the format of FAT, in UTC: from 1980 on, in steps of two seconds.
    private static func dosTime(_ seconds: Int) -> (date: UInt16, time: UInt16) {
        var (clock, parts) = (time_t(max(seconds, 315_532_800)), tm())
        gmtime_r(&clock, &parts)
        let date = (parts.tm_year - 80) << 9 | (parts.tm_mon + 1) << 5 | parts.tm_mday
        let time = parts.tm_hour << 11 | parts.tm_min << 5 | parts.tm_sec / 2
        return (UInt16(truncatingIfNeeded: date), UInt16(truncatingIfNeeded: time))
    }
}
