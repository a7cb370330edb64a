import Folders
import Glibc

/// Where backups are kept, and how many.
///
/// In a folder each backup is named after its time. A backup that is given a name moves the ones before to the names with
/// `.1`, `.2` and so on at their ends.
public struct BackupRotation: Sendable, Equatable {
    /// The file to write.
    public let path: String
    private let folder: String?
    private let keep: Int?

    /// - Parameters:
    ///   - destination: a file, or an existing folder.
    ///   - keep: the number of backups to keep, this one included; nil deletes none.
    ///   - now: seconds since 1970.
    ///   - key: whom it is encrypted for, which shows in a name that is made here.
    public init(to destination: String, keep: Int?, now: Int, encrypting key: EncryptionKey? = nil) {
        self.keep = keep
        var status = stat()
        if stat(destination, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
            folder = destination
            path =
                destination + (destination.hasSuffix("/") ? "" : "/") + Self.name(at: now) + (key?.fileExtension ?? "")
        } else {
            folder = nil
            path = destination
        }
    }

    /// Makes room for the new file. Called when it is complete.
    public func willReplace() {
        guard folder == nil, let keep, keep > 1 else { return }
        for number in stride(from: keep - 2, through: 1, by: -1) {
            rename("\(path).\(number)", "\(path).\(number + 1)")
        }
        unlink("\(path).1")
        link(path, "\(path).1")
    }

    /// Deletes what is too much. Called when the new file has its name.
    public func removeOld() {
        guard let keep else { return }
        if let folder {
            let backups = Folder.names(in: folder).filter(Self.isBackup).sorted()
            for name in backups.dropLast(keep) { unlink("\(folder)/\(name)") }
        } else {
            var number = keep
            while unlink("\(path).\(number)") == 0 { number += 1 }
        }
    }

    /// File systems round the times of files, and clocks are set: a file stays for a day longer, in seconds.
    private static let clockMargin = 86_400

    /// Deletes the files of the store that only deleted backups used.
    public func pruneStore() {
        guard keep != nil, let folder, let oldest = Folder.names(in: folder).filter(Self.isBackup).min() else { return }
        _ = FileStore.prune(in: folder, unusedSince: Self.time(of: oldest) - Self.clockMargin)
    }

    /// The time in the name of a backup, in seconds since 1970; 0 for another name.
    static func time(of name: String) -> Int {
        let digits = name.compactMap(\.wholeNumberValue).map(Int32.init)
        guard digits.count == 14 else { return 0 }
        func number(_ range: Range<Int>) -> Int32 { digits[range].reduce(0) { $0 * 10 + $1 } }
        var parts = tm()
        (parts.tm_year, parts.tm_mon, parts.tm_mday) = (number(0..<4) - 1900, number(4..<6) - 1, number(6..<8))
        (parts.tm_hour, parts.tm_min, parts.tm_sec) = (number(8..<10), number(10..<12), number(12..<14))
        return timegm(&parts)
    }

    static func name(at now: Int) -> String {
        var (clock, parts) = (time_t(now), tm())
        gmtime_r(&clock, &parts)
        func digits(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        let date = "\(parts.tm_year + 1900)" + digits(parts.tm_mon + 1) + digits(parts.tm_mday)
        return "lectern-\(date)T" + digits(parts.tm_hour) + digits(parts.tm_min) + digits(parts.tm_sec) + "Z.tar"
    }

    /// Whether a file is one that is named after its time.
    static func isBackup(_ name: String) -> Bool {
        let shape = name.map { $0.isASCII && $0.isNumber ? "0" : $0 }
        return ["", ".age", ".gpg"].contains { String(shape) == "lectern-00000000T000000Z.tar" + $0 }
    }
}
