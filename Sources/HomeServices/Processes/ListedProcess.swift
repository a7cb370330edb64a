import Folders
import Glibc

/// A process of the machine, as far as /proc shows it.
struct ListedProcess: Equatable {
    var pid: Int32
    var parent: Int32
    /// The user id. The owner of the folder in /proc is another one if the memory of the process is hidden.
    var user: UInt32
    /// The working folder; nil if only root may know it.
    var folder: String?
    /// The path of its program; nil if only root may know it. The program may have been replaced since.
    var program: String?
    var arguments: [String]

    /// The living processes that have this working folder or an unknown one.
    static func all(in folder: String) -> [ListedProcess] {
        Folder.names(in: "/proc").compactMap { Int32($0) }.compactMap { pid in
            let found = link("/proc/\(pid)/cwd")
            return found == folder || found == nil ? ListedProcess(pid: pid, folder: found) : nil
        }
    }

    /// Nil if the process has ended.
    private init?(pid: Int32, folder: String?) {
        guard let status = TextFile.readBytes("/proc/\(pid)/status"),
            let user = Self.user(in: String(decoding: status, as: UTF8.self)),
            let line = TextFile.readBytes("/proc/\(pid)/stat"),
            let parent = ProcessIdentity.fieldsAfterName(String(decoding: line, as: UTF8.self)).dropFirst().first,
            let command = TextFile.readBytes("/proc/\(pid)/cmdline")
        else { return nil }
        self.init(
            pid: pid, parent: Int32(parent) ?? 0, user: user, folder: folder,
            program: Self.link("/proc/\(pid)/exe").map(Self.withoutMark),
            arguments: command.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
    }

    init(pid: Int32, parent: Int32, user: UInt32, folder: String?, program: String?, arguments: [String]) {
        self.pid = pid
        self.parent = parent
        self.user = user
        self.folder = folder
        self.program = program
        self.arguments = arguments
    }

    /// The real user id in the text of /proc/PID/status.
    static func user(in status: String) -> UInt32? {
        let line = status.split(separator: "\n").first { $0.hasPrefix("Uid:") }
        return line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { UInt32($0) }
    }

    /// The kernel appends " (deleted)" to the path of a program that was replaced.
    static func withoutMark(_ program: String) -> String {
        let mark = " (deleted)"
        return program.hasSuffix(mark) ? String(program.dropLast(mark.count)) : program
    }

    private static func link(_ path: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(path, &buffer, buffer.count)
        return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
    }
}
