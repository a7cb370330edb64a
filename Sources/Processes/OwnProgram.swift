internal import Glibc

/// The program that runs in this process.
public enum OwnProgram {
    /// Starts this program again, even if another file has taken its name since.
    public static let executable = "/proc/self/exe"

    /// The folder that contains the program, with a slash at its end. Nil when the kernel does not say.
    public static var folder: String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(executable, &buffer, buffer.count)
        guard count > 0 else { return nil }
        // A replaced program's path has " (deleted)" at its end, which is cut off with the name.
        let path = String(decoding: buffer[..<count], as: UTF8.self)
        return path.lastIndex(of: "/").map { String(path[...$0]) }
    }

    /// The path of another program in the same folder, whether or not it exists.
    public static func sibling(_ name: String) -> String? { folder.map { $0 + name } }
}
