import Glibc

/// The bytes of a file: returns the next piece, and nil after the last.
typealias Pieces = () throws -> [UInt8]?

/// Why a file cannot be imported at all.
struct UnreadableFile: Error, Equatable, CustomStringConvertible {
    /// A sentence for the user.
    var description: String

    init(_ description: String) { self.description = description }
}

enum FilePieces {
    private static let length = 1 << 18

    /// The bytes of a file on disk.
    static func of(_ path: String) throws -> Pieces {
        let file = OpenFile(open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW))
        guard file.descriptor >= 0 else { throw DocumentFolder.Failure(call: "open", code: errno) }
        return {
            var piece = [UInt8](repeating: 0, count: length)
            while true {
                let count = read(file.descriptor, &piece, piece.count)
                if count < 0, errno == EINTR { continue }
                guard count >= 0 else { throw DocumentFolder.Failure(call: "read", code: errno) }
                if count == 0 { return nil }
                piece.removeLast(piece.count - count)
                return piece
            }
        }
    }

    /// Bytes that are in memory.
    static func of(_ bytes: [UInt8]) -> Pieces {
        var rest: [UInt8]? = bytes
        return {
            defer { rest = nil }
            return rest
        }
    }

    private final class OpenFile {
        let descriptor: Int32
        init(_ descriptor: Int32) { self.descriptor = descriptor }
        deinit { if descriptor >= 0 { close(descriptor) } }
    }
}
