import Glibc

/// Files that are complete when they get their names.
enum FinishedFile {
    /// Gives a written file its name once it is on disk. The name never belongs to an incomplete file, not even after a
    /// power cut.
    ///
    /// - Returns: the size of the file in bytes.
    static func keep(_ temporary: String, as path: String, mode: mode_t) throws(FileFailure) -> Int {
        let file = open(temporary, O_RDWR | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw FileFailure(call: "open", code: errno) }
        defer { close(file) }
        var status = stat()
        guard fchmod(file, mode) == 0, fstat(file, &status) == 0, fsync(file) == 0 else {
            throw FileFailure(call: "fsync", code: errno)
        }
        guard rename(temporary, path) == 0 else { throw FileFailure(call: "rename", code: errno) }
        return Int(status.st_size)
    }
}
