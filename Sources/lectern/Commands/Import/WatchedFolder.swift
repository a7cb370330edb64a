import Folders
import Glibc

/// A folder whose files are imported, now and whenever one is added or changed.
struct WatchedFolder {
    let path: String

    /// The pause between two scans of the folder, in microseconds. A file is complete when it has not changed between
    /// them.
    private static let pause: UInt32 = 1_000_000
    private static let maxDepth = 20

    /// What tells a file from a later one of the same name.
    private struct Version: Equatable {
        var size: Int
        var seconds: Int
        var nanoseconds: Int
        var inode: UInt
    }

    /// Calls `body` with each file until the process is stopped. An error of `body` is printed, and the next file follows.
    func run(_ body: (String) throws -> Void) throws {
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else {
            throw CommandError("\(path) is not a folder")
        }
        var (seen, imported): ([String: Version], [String: Version]) = ([:], [:])
        while true {
            var now: [String: Version] = [:]
            look(into: path, depth: 0, &now)
            for (file, version) in now.sorted(by: { $0.key < $1.key })
            where seen[file] == version && imported[file] != version {
                imported[file] = version
                do {
                    try body(file)
                } catch {
                    Terminal.say("lectern: \(file): \(error)\n")
                }
            }
            imported = imported.filter { now[$0.key] != nil }
            seen = now
            usleep(Self.pause)
        }
    }

    /// Adds the files of a folder and of those in it, without hidden ones and links.
    private func look(into folder: String, depth: Int, _ found: inout [String: Version]) {
        for name in Folder.names(in: folder) where !name.hasPrefix(".") {
            let file = "\(folder)/\(name)"
            var status = stat()
            guard lstat(file, &status) == 0 else { continue }
            if status.st_mode & S_IFMT == S_IFDIR, depth < Self.maxDepth {
                look(into: file, depth: depth + 1, &found)
            } else if status.st_mode & S_IFMT == S_IFREG, status.st_size > 0 {
                found[file] = Version(
                    size: Int(status.st_size), seconds: status.st_mtim.tv_sec, nanoseconds: status.st_mtim.tv_nsec,
                    inode: status.st_ino)
            }
        }
    }
}
