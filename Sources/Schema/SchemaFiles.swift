import Glibc

/// The SQL files of one version of Lectern.
public struct SchemaFiles: Sendable, Equatable {
    /// In order, numbered from 1 without gaps.
    public var migrations: [Migration]
    /// By name, which is the order in which they are applied.
    public var definitions: [Definitions]

    public init(migrations: [Migration], definitions: [Definitions]) {
        self.migrations = migrations
        self.definitions = definitions
    }

    /// Reads `migrations/*.sql` and `schema/*.sql`.
    ///
    /// - Parameter directory: the folder that holds both, `sql` in a checkout.
    public init(in directory: String) throws(MigrationError) {
        migrations = []
        for (name, text) in try Self.files(in: directory + "/migrations") {
            guard let version = Int(name.prefix(4)), name.dropFirst(4).first == "_" else { throw .badName(name) }
            guard version == migrations.count + 1 else { throw .gap(expected: migrations.count + 1, found: name) }
            migrations.append(Migration(version: version, name: name, text: text))
        }
        definitions = try Self.files(in: directory + "/schema").map { Definitions(name: $0.name, text: $0.text) }
    }

    /// The SQL files of one folder by name; a folder without any is an error.
    private static func files(in directory: String) throws(MigrationError) -> [(name: String, text: String)] {
        guard let listing = opendir(directory) else { throw .unreadable(directory: directory) }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".sql"), !name.hasPrefix(".") { names.append(name) }
        }
        var files: [(name: String, text: String)] = []
        for name in names.sorted() {
            guard let text = contents(of: directory + "/" + name) else { throw .unreadable(directory: directory) }
            files.append((name, text))
        }
        guard !files.isEmpty else { throw .unreadable(directory: directory) }
        return files
    }

    private static func contents(of path: String) -> String? {
        guard let file = fopen(path, "r") else { return nil }
        defer { fclose(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
        return String(validating: bytes, as: UTF8.self)
    }
}
