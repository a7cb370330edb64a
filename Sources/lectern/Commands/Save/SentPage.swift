import Charsets
import Glibc

/// The page that `lectern save --html` sends.
struct SentPage {
    /// Without NUL, which PostgreSQL cannot store.
    let html: String

    /// The limit of rpc/save_page, in bytes of UTF-8.
    private static let maxBytes = 10_485_760

    /// Reads a file, or standard input for `-`. The charset is that of a byte order mark or a meta element, else UTF-8 or
    /// a guess.
    init(_ path: String) throws {
        let bytes = path == "-" ? try StandardStreams.readAll(limit: Self.maxBytes) : try Self.bytes(of: path)
        let text = bytes.count > Self.maxBytes ? nil : Charsets.decode(bytes, headerLabel: nil).text
        guard let text, text.utf8.count <= Self.maxBytes else {
            throw CommandError("\(path): the page is larger than 10 MB; save its address without --html")
        }
        // Such as the output of a command that has failed.
        guard text.contains(where: { !$0.isWhitespace }) else {
            throw CommandError("\(path): the page is empty; save its address without --html")
        }
        html = text.replacing("\0", with: "")
    }

    /// The bytes of a file, up to the first chunk past the limit.
    private static func bytes(of path: String) throws(CommandError) -> [UInt8] {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw unreadable(path) }
        defer { close(file) }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= maxBytes {
            let count = read(file, &chunk, chunk.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { throw unreadable(path) }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }

    private static func unreadable(_ path: String) -> CommandError {
        CommandError("cannot read \(path): \(String(cString: strerror(errno)))")
    }
}
