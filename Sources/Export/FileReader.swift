import Glibc

/// Reads a file piece by piece. The file is open from the first piece to the last.
final class FileReader {
    private let path: String
    private var descriptor: Int32 = -1
    private var isOver = false

    /// In bytes.
    private static let pieceSize = 1 << 18

    init(_ path: String) { self.path = path }

    deinit { if descriptor >= 0 { close(descriptor) } }

    /// The next piece; nil after the last.
    ///
    /// - Throws: `FileFailure`, with `ENOENT` where there is no file.
    func next() throws(FileFailure) -> [UInt8]? {
        if isOver { return nil }
        if descriptor < 0 {
            descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
            guard descriptor >= 0 else { throw FileFailure(call: "open", code: errno) }
        }
        var failure: Int32 = 0
        let piece = [UInt8](unsafeUninitializedCapacity: Self.pieceSize) { buffer, count in
            var length = read(descriptor, buffer.baseAddress, buffer.count)
            while length < 0, errno == EINTR { length = read(descriptor, buffer.baseAddress, buffer.count) }
            if length < 0 { failure = errno }
            count = max(length, 0)
        }
        guard failure == 0 else { throw FileFailure(call: "read", code: failure) }
        if !piece.isEmpty { return piece }
        isOver = true
        close(descriptor)
        descriptor = -1
        return nil
    }
}
