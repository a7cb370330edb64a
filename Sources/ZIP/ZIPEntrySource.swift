import CZip
import Glibc

/// Holds the first error of a producer until it can be thrown, since no error can pass through C.
final class ZIPSourceFailure {
    var error: (any Error)?
}

/// Produces the bytes of one entry while libzip reads them.
final class ZIPEntrySource {
    /// The size in bytes; nil: unknown before the end.
    private let size: Int?
    private let failure: ZIPSourceFailure
    private let next: () throws -> [UInt8]?
    private var piece: [UInt8] = []
    private var taken = 0
    private var isAtEnd = false

    init(size: Int?, failure: ZIPSourceFailure, next: @escaping () throws -> [UInt8]?) {
        self.size = size
        self.failure = failure
        self.next = next
    }

    /// Handles a command of zip_source_function; see its manual page.
    fileprivate func answer(_ command: zip_source_cmd_t, _ data: UnsafeMutableRawPointer?, _ length: Int) -> zip_int64_t
    {
        switch command {
        case ZIP_SOURCE_SUPPORTS: return CZIP_SOURCE_READABLE
        case ZIP_SOURCE_OPEN, ZIP_SOURCE_CLOSE: return 0
        case ZIP_SOURCE_READ: return read(UnsafeMutableRawBufferPointer(start: data, count: length))
        case ZIP_SOURCE_STAT:
            guard let data, length >= MemoryLayout<zip_stat_t>.size else { return -1 }
            let stat = data.assumingMemoryBound(to: zip_stat_t.self)
            zip_stat_init(stat)
            if let size {
                stat.pointee.size = zip_uint64_t(size)
                stat.pointee.valid |= zip_uint64_t(ZIP_STAT_SIZE)
            }
            return zip_int64_t(MemoryLayout<zip_stat_t>.size)
        case ZIP_SOURCE_ERROR:
            guard let data, length >= 2 * MemoryLayout<Int32>.size else { return -1 }
            data.storeBytes(of: ZIP_ER_READ, as: Int32.self)
            data.storeBytes(of: EIO, toByteOffset: MemoryLayout<Int32>.size, as: Int32.self)
            return zip_int64_t(2 * MemoryLayout<Int32>.size)
        default: return -1
        }
    }

    private func read(_ buffer: UnsafeMutableRawBufferPointer) -> zip_int64_t {
        do {
            while taken == piece.count, !isAtEnd {
                taken = 0
                let made = try next()
                isAtEnd = made == nil
                piece = made ?? []
            }
        } catch {
            failure.error = failure.error ?? error
            return -1
        }
        let count = min(buffer.count, piece.count - taken)
        buffer.copyBytes(from: piece[taken..<taken + count])
        taken += count
        return zip_int64_t(count)
    }
}

/// libzip's callback. `user` is the `ZIPEntrySource`, which is retained when the source is created and released when it is
/// freed.
let produce: zip_source_callback = { user, data, length, command in
    guard let user else { return -1 }
    if command == ZIP_SOURCE_FREE {
        Unmanaged<ZIPEntrySource>.fromOpaque(user).release()
        return 0
    }
    return Unmanaged<ZIPEntrySource>.fromOpaque(user).takeUnretainedValue().answer(command, data, Int(length))
}
