import Glibc

/// A new file that is written in pieces.
struct TextFile: ~Copyable {
    private let descriptor: Int32
    private var buffer: [UInt8] = []

    private static let bufferBytes = 1 << 18

    init(_ path: String) throws(FileFailure) {
        unlink(path)
        descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard descriptor >= 0 else { throw FileFailure(call: "open", code: errno) }
    }

    deinit { Glibc.close(descriptor) }

    mutating func write(_ bytes: [UInt8]) throws(FileFailure) {
        buffer += bytes
        if buffer.count >= Self.bufferBytes { try flush() }
    }

    /// Writes what is left.
    consuming func close() throws(FileFailure) { try flush() }

    private mutating func flush() throws(FileFailure) {
        var start = 0
        while start < buffer.count {
            let count = buffer.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress! + start, $0.count - start) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw FileFailure(call: "write", code: errno) }
            start += count
        }
        buffer.removeAll(keepingCapacity: true)
    }
}
