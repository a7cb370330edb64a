import Glibc

/// A file of secret settings: lines `NAME='value'`, as deploy/run writes them. Unlike an environment it is readable by
/// one user alone, and its contents are in no process's environment.
struct SecretsFile {
    /// The values by name.
    var values: [String: String] = [:]

    struct Unreadable: Error, Equatable {
        var reason: String
    }

    /// - Throws: for a file that cannot be read, and for a line that is not `NAME='value'`. The reason never repeats
    ///   the line.
    init(path: String) throws(Unreadable) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else {
            throw Unreadable(reason: "\(path) cannot be read: \(String(cString: strerror(errno)))")
        }
        defer { close(file) }
        var content: [UInt8] = []
        var part = [UInt8](repeating: 0, count: 4_096)
        while case let count = read(file, &part, part.count), count > 0, content.count <= Self.maxBytes {
            content += part[..<count]
        }
        guard content.count <= Self.maxBytes else { throw Unreadable(reason: "\(path) is too large") }
        try self.init(parsing: String(decoding: content, as: UTF8.self), path: path)
    }

    /// Far more than all secrets together.
    private static let maxBytes = 1 << 20

    init(parsing text: String, path: String) throws(Unreadable) {
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if line.isEmpty || line.hasPrefix("#") { continue }
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let value = Self.quoted(parts[1]) else {
                throw Unreadable(reason: "\(path) line \(index + 1): expected NAME='value'")
            }
            values[String(parts[0])] = value
        }
    }

    /// The text between single quotes. The format cannot express a quote in a value.
    private static func quoted(_ text: Substring) -> String? {
        guard text.utf8.count >= 2, text.hasPrefix("'"), text.hasSuffix("'") else { return nil }
        let value = text.dropFirst().dropLast()
        return value.contains("'") ? nil : String(value)
    }
}
