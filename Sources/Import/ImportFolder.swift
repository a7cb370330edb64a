import Glibc

/// The folder of uploaded files, which are named after their imports. Other files in it are unfinished uploads.
struct ImportFolder: Sendable {
    let path: String

    func file(of id: String) -> String { "\(path)/\(id)" }

    func remove(_ id: String) { unlink(file(of: id)) }

    /// The ids of all files. Deletes uploads that a worker which died has left.
    func sweepUnfinished() -> [String] {
        var ids: [String] = []
        for name in FolderEntries.of(path) {
            if Self.isID(name) {
                ids.append(name)
            } else if name.hasPrefix("."), FolderEntries.age(of: "\(path)/\(name)") > FolderEntries.oldEnough {
                unlink("\(path)/\(name)")
            }
        }
        return ids
    }

    /// Whether a file is old enough to have its row.
    func isOld(_ id: String) -> Bool { FolderEntries.age(of: file(of: id)) > FolderEntries.oldEnough }

    private static func isID(_ text: String) -> Bool {
        text.utf8.count == 36
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) || byte == UInt8(ascii: "-")
            }
    }
}

/// The names in a folder, and the ages of its files.
enum FolderEntries {
    /// Seconds after which a file belongs to nothing that still runs.
    static let oldEnough = 3_600

    static func of(_ path: String) -> [String] {
        guard let folder = opendir(path) else { return [] }
        defer { closedir(folder) }
        var names: [String] = []
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// In seconds; 0 where there is no such file.
    static func age(of path: String) -> Int {
        var status = stat()
        return lstat(path, &status) == 0 ? time(nil) - status.st_ctim.tv_sec : 0
    }
}
