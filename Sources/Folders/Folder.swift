import Glibc

/// What is in a folder.
public enum Folder {
    /// The names in a folder, except `.` and `..`. Empty if it cannot be read.
    public static func names(in path: String) -> [String] {
        guard let listing = opendir(path) else { return [] }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }

    /// The seconds since a file was last changed or renamed; 0 where there is no such file.
    public static func age(of path: String) -> Int {
        var status = stat()
        return lstat(path, &status) == 0 ? time(nil) - status.st_ctim.tv_sec : 0
    }
}
