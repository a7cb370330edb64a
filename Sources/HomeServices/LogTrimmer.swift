import Folders
import Glibc
import Processes

/// Moves the contents of a log that has grown large to `<log>.1`, replacing the previous one. Services open their logs
/// for appending, so a log can be truncated in place.
struct LogTrimmer {
    let folder: String
    /// The size that a log may have, in bytes.
    var largest = 50 << 20
    private var dueAt: Duration = .zero
    static let interval: Duration = .seconds(3)

    init(folder: String) { self.folder = folder }

    /// Trims the logs every few seconds. Returns the time until the next turn.
    mutating func trimIfDue() -> Duration {
        let now = MonotonicClock.now
        if now >= dueAt {
            trim()
            dueAt = now + Self.interval
        }
        return dueAt - now
    }

    func trim() {
        for name in Folder.names(in: folder) where name.hasSuffix(".log") {
            let path = "\(folder)/\(name)"
            var status = stat()
            guard stat(path, &status) == 0, status.st_size > largest else { continue }
            if copy(path, status, to: path + ".1") { truncate(path, 0) }
        }
    }

    /// Copies a file with its owner, its mode and its times.
    private func copy(_ path: String, _ status: stat, to target: String) -> Bool {
        let from = open(path, O_RDONLY | O_CLOEXEC)
        guard from >= 0 else { return false }
        defer { close(from) }
        let to = open(target, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard to >= 0 else { return false }
        defer { close(to) }
        var part = [UInt8](repeating: 0, count: 64 << 10)
        while case let count = read(from, &part, part.count), count != 0 {
            guard count > 0, write(to, part, count) == count else { return false }
        }
        _ = fchown(to, status.st_uid, status.st_gid)
        let times = [status.st_atim, status.st_mtim]
        return fchmod(to, status.st_mode & 0o777) == 0 && futimens(to, times) == 0
    }
}
