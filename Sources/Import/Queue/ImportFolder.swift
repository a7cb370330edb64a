import Folders
import Glibc

/// The folder of uploaded files, which are named after their imports. Other files in it are unfinished uploads.
struct ImportFolder: Sendable {
    let path: String

    /// Seconds after which a file belongs to nothing that still runs.
    static let oldEnough = 3_600

    func file(of id: String) -> String { "\(path)/\(id)" }

    func remove(_ id: String) { unlink(file(of: id)) }

    /// The ids of all files. Deletes uploads that a worker which died has left.
    func sweepUnfinished() -> [String] {
        var ids: [String] = []
        for name in Folder.names(in: path) {
            if Self.isID(name) {
                ids.append(name)
            } else if name.hasPrefix("."), Folder.age(of: "\(path)/\(name)") > Self.oldEnough {
                unlink("\(path)/\(name)")
            }
        }
        return ids
    }

    /// Whether a file is old enough to have its row.
    func isOld(_ id: String) -> Bool { Folder.age(of: file(of: id)) > Self.oldEnough }

    private static func isID(_ text: String) -> Bool {
        text.utf8.count == 36
            && text.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x66).contains(byte) || byte == UInt8(ascii: "-")
            }
    }
}
