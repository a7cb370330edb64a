import Glibc

/// A process of the machine, as far as /proc shows it.
struct ListedProcess: Equatable {
    var pid: Int32
    var parent: Int32
    var user: UInt32
    /// The working folder.
    var folder: String
    /// The path of its program. The program may have been replaced since.
    var program: String
    var arguments: [String]

    /// The living processes that have one of these working folders.
    static func all(in folders: [String]) -> [ListedProcess] {
        Folder.names(in: "/proc").compactMap { Int32($0) }.compactMap { pid in
            guard let folder = link("/proc/\(pid)/cwd"), folders.contains(folder) else { return nil }
            return ListedProcess(pid: pid, folder: folder)
        }
    }

    /// Nil if the process has ended.
    private init?(pid: Int32, folder: String) {
        var status = Glibc.stat()
        guard stat("/proc/\(pid)", &status) == 0, let program = Self.link("/proc/\(pid)/exe"),
            let line = TextFile.readBytes("/proc/\(pid)/stat"),
            let parent = ProcessIdentity.fieldsAfterName(String(decoding: line, as: UTF8.self)).dropFirst().first,
            let command = TextFile.readBytes("/proc/\(pid)/cmdline")
        else { return nil }
        self.init(
            pid: pid, parent: Int32(parent) ?? 0, user: status.st_uid, folder: folder,
            program: Self.withoutMark(program),
            arguments: command.split(separator: 0).map { String(decoding: $0, as: UTF8.self) })
    }

    init(pid: Int32, parent: Int32, user: UInt32, folder: String, program: String, arguments: [String]) {
        self.pid = pid
        self.parent = parent
        self.user = user
        self.folder = folder
        self.program = program
        self.arguments = arguments
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
