import Glibc

/// Reads the files of finished books, for mails.
public struct BookFileReader: Sendable {
    private let folder: BookFolder
    private let maxBytes: Int

    /// - Parameters:
    ///   - folder: the folder of the books.
    ///   - maxBytes: the largest file that is read.
    public init(folder: String, maxBytes: Int) {
        self.folder = BookFolder(path: folder)
        self.maxBytes = maxBytes
    }

    /// The bytes of a book; nil where the file is not there, or too large.
    ///
    /// - Parameter hash: the SHA-256 of the bytes, in hexadecimal.
    public func read(_ hash: String) -> [UInt8]? {
        let file = open(folder.file(of: hash), O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0, status.st_size <= maxBytes else { return nil }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes[filled...].withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
            guard count > 0 else { return nil }
            filled += count
        }
        return bytes
    }
}
