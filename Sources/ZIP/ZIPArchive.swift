import CZip
import Glibc

/// A ZIP archive in memory, to read entries of. Closed with its owner.
///
/// Entries are found by their exact names, and nothing is ever written, so names that lead out of a folder do no harm.
public final class ZIPArchive {
    /// Why an entry cannot be read.
    public enum Failure: Error, Equatable {
        /// The archive or the entry is damaged, or compressed by a method that is not supported.
        case damaged
        /// The entry needs a password.
        case encrypted
        /// The entry, or the number of entries, is above the limit.
        case tooLarge
    }

    private let handle: OpaquePointer

    /// Entries of the largest archive that is read.
    public static let maxEntries = 100_000

    /// - Parameter bytes: the archive. They are copied.
    public init(_ bytes: [UInt8]) throws(Failure) {
        var error = zip_error_t()
        zip_error_init(&error)
        defer { zip_error_fini(&error) }
        guard let copy = malloc(max(1, bytes.count)) else { throw .tooLarge }
        bytes.withUnsafeBytes { if let start = $0.baseAddress { memcpy(copy, start, $0.count) } }
        // From here on libzip frees the copy.
        guard let source = zip_source_buffer_create(copy, zip_uint64_t(bytes.count), 1, &error) else {
            free(copy)
            throw .damaged
        }
        guard let handle = zip_open_from_source(source, ZIP_RDONLY, &error) else {
            zip_source_free(source)
            throw .damaged
        }
        guard zip_get_num_entries(handle, 0) <= Self.maxEntries else {
            zip_discard(handle)
            throw .tooLarge
        }
        self.handle = handle
    }

    deinit { zip_discard(handle) }

    /// The content of an entry; nil where there is no entry of this name.
    ///
    /// - Parameter limit: the largest content, in bytes. An entry that is larger is not unpacked further.
    public func read(_ name: String, limit: Int) throws(Failure) -> [UInt8]? {
        var status = zip_stat_t()
        zip_stat_init(&status)
        guard zip_stat(handle, name, zip_flags_t(ZIP_FL_ENC_GUESS), &status) == 0 else { return nil }
        guard status.encryption_method == ZIP_EM_NONE else { throw .encrypted }
        // What the archive says of the size is no proof, but enough to refuse it.
        guard status.size <= UInt64(limit) else { throw .tooLarge }
        guard let file = zip_fopen_index(handle, status.index, 0) else { throw .damaged }
        defer { zip_fclose(file) }
        var content: [UInt8] = []
        var piece = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = zip_fread(file, &piece, zip_uint64_t(piece.count))
            // Also for a wrong checksum, at the end.
            guard count >= 0 else { throw .damaged }
            if count == 0 { return content }
            guard content.count + Int(count) <= limit else { throw .tooLarge }
            content += piece[..<Int(count)]
        }
    }
}
