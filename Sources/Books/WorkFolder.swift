import Folders
import Glibc
import Synchronization

/// The folder of a book that is being made: its pages, its pictures and the unfinished file. Removed with this object.
final class WorkFolder: Sendable {
    let path: String
    private let pageCount = Mutex(0)

    static let prefix = "work-"

    init(in folder: String) throws(BookFolder.Failure) {
        var template = Array("\(folder)/\(Self.prefix)XXXXXX".utf8CString)
        guard mkdtemp(&template) != nil else { throw BookFolder.Failure(call: "mkdtemp", code: errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    deinit { Self.remove(path) }

    static func remove(_ path: String) {
        for name in Folder.names(in: path) { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    /// Writes a file under a name of its own.
    func write(_ bytes: [UInt8]) throws(BookFolder.Failure) -> String {
        let number = pageCount.withLock { count in
            count += 1
            return count
        }
        try write(bytes, to: "page\(number)")
        return "page\(number)"
    }

    func write(_ bytes: [UInt8], to name: String) throws(BookFolder.Failure) {
        let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
        guard file >= 0 else { throw BookFolder.Failure(call: "open", code: errno) }
        defer { close(file) }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
            guard count > 0 else {
                if count < 0, errno == EINTR { continue }
                throw BookFolder.Failure(call: "write", code: errno)
            }
            rest = rest.dropFirst(count)
        }
    }

    func read(_ name: String) throws(BookFolder.Failure) -> [UInt8] {
        let file = open("\(path)/\(name)", O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw BookFolder.Failure(call: "open", code: errno) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw BookFolder.Failure(call: "fstat", code: errno) }
        var bytes = [UInt8](repeating: 0, count: Int(status.st_size))
        var filled = 0
        while filled < bytes.count {
            let count = bytes[filled...].withUnsafeMutableBytes { Glibc.read(file, $0.baseAddress, $0.count) }
            guard count > 0 else { throw BookFolder.Failure(call: "read", code: errno) }
            filled += count
        }
        return bytes
    }
}
