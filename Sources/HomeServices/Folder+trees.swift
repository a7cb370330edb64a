import Folders
import Glibc

extension Folder {
    /// Removes a folder with its files and with the folders of files in it. What lies deeper stays: the inner folders
    /// belong to the users of services, who could otherwise exchange a folder for a link while root deletes its files.
    static func remove(_ path: String) {
        for name in names(in: path) where unlink("\(path)/\(name)") != 0 { removeFlat("\(path)/\(name)") }
        rmdir(path)
    }

    private static func removeFlat(_ path: String) {
        for name in names(in: path) { unlink("\(path)/\(name)") }
        rmdir(path)
    }

    /// The paths of the regular files at or below a path, relative to `root`. Symbolic links do not count.
    static func files(below path: String, in root: String, except ignored: String?) -> [String] {
        guard path != ignored else { return [] }
        var status = stat()
        guard lstat("\(root)/\(path)", &status) == 0 else { return [] }
        switch status.st_mode & S_IFMT {
        case S_IFREG: return [path]
        case S_IFDIR:
            return names(in: "\(root)/\(path)").flatMap { files(below: "\(path)/\($0)", in: root, except: ignored) }
        default: return []
        }
    }
}
