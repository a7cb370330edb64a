/// A line of an incremental backup about a file that is in the store.
enum StoredFile: Equatable {
    case file(hash: String, size: Int, mode: UInt32, modified: Int, name: String)
    /// Another name of an earlier file.
    case link(to: String, name: String)

    /// The folder of the archive with the lists.
    static let folder = "stored/"

    /// Larger than any list, in bytes.
    static let maxListSize = 2 * BackupArchiveWriter.partSize

    var line: String {
        switch self {
        case .file(let hash, let size, let mode, let modified, let name):
            "\(hash) \(size) \(String(mode, radix: 8)) \(modified) \(name)\n"
        case .link(let first, let name): "= \(first) \(name)\n"
        }
    }

    /// - Returns: nil for any other line.
    init?(line: Substring) {
        let parts = line.split(separator: " ", omittingEmptySubsequences: false)
        if parts.count == 3, parts[0] == "=" {
            self = .link(to: String(parts[1]), name: String(parts[2]))
        } else if parts.count == 5, parts[0].utf8.count == 64, parts[0].allSatisfy(\.isHexDigit),
            let size = Int(parts[1]),
            let mode = UInt32(parts[2], radix: 8), let modified = Int(parts[3])
        {
            self = .file(
                hash: String(parts[0]), size: size, mode: mode & 0o777, modified: modified, name: String(parts[4]))
        } else {
            return nil
        }
    }

    /// The files of a list.
    static func parse(_ list: [UInt8], or damaged: (String) -> BackupError) throws(BackupError) -> [StoredFile] {
        var files: [StoredFile] = []
        for line in String(decoding: list, as: UTF8.self).split(separator: "\n") {
            guard let file = StoredFile(line: line) else { throw damaged("a list of files cannot be read") }
            for name in file.names where !HomeFiles.mayBeRestored(name) {
                throw damaged("it lists \(name), which is not known")
            }
            files.append(file)
        }
        return files
    }

    var name: String {
        switch self {
        case .file(_, _, _, _, let name), .link(_, let name): name
        }
    }

    /// Every path in the home that the line names.
    private var names: [String] {
        if case .link(let first, let name) = self { [first, name] } else { [name] }
    }
}
