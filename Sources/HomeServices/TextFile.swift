import Glibc

/// Small text files.
enum TextFile {
    /// Returns the text of a file, or nil if it cannot be read or is not UTF-8.
    static func read(_ path: String) -> String? {
        readBytes(path).flatMap { String(validating: $0, as: UTF8.self) }
    }

    static func readBytes(_ path: String) -> [UInt8]? {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return nil }
        defer { close(file) }
        var content: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while true {
            let count = Glibc.read(file, &part, part.count)
            if count == 0 { return content }
            if count > 0 { content += part[..<count] } else if errno != EINTR { return nil }
        }
    }

    /// Replaces a file, atomically. Returns false if that failed.
    static func replace(_ path: String, with text: String, mode: mode_t) -> Bool {
        let draft = path + ".new"
        unlink(draft)
        let file = open(draft, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard file >= 0 else { return false }
        let bytes = Array(text.utf8)
        let isWritten = write(file, bytes, bytes.count) == bytes.count && fchmod(file, mode) == 0
        close(file)
        return isWritten && rename(draft, path) == 0
    }
}
