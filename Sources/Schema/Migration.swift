import Crypto
import Glibc

/// One numbered SQL file; applied once, in order, never changed afterwards.
public struct Migration: Sendable, Equatable {
    public let version: Int
    /// File name, `NNNN_what_it_does.sql`.
    public let name: String
    public let text: String

    /// SHA-256 of the text, hexadecimal: tells a file that was edited after it was applied.
    public var checksum: String { Digest.hex(Digest.sha256(text.utf8)) }

    public init(version: Int, name: String, text: String) {
        self.version = version
        self.name = name
        self.text = text
    }
}

/// The schema version this build of the programs works with: the number of the newest file in `sql/`.
public enum SchemaVersion {
    public static let required = 34
}

/// What is wrong with the migrations as found on disk or in the database.
public enum MigrationError: Error, Equatable, CustomStringConvertible {
    case unreadable(directory: String)
    case badName(String)
    case gap(expected: Int, found: String)
    case changed(name: String)
    case unknown(version: Int, name: String)
    case failed(name: String, reason: String)

    public var description: String {
        switch self {
        case .unreadable(let directory): "cannot read migrations in \(directory)"
        case .badName(let name): "\(name) is not named NNNN_what_it_does.sql"
        case .gap(let expected, let found): "expected migration \(expected), found \(found): numbers have no gaps"
        case .changed(let name): "\(name) was changed after it was applied; migrations are append-only"
        case .unknown(let version, let name):
            "the database has migration \(version) (\(name)), which this version of Lectern does not know: it is older than the database"
        case .failed(let name, let reason): "\(name) failed and nothing of it was kept: \(reason)"
        }
    }
}

extension Migration {
    /// The migrations of a directory, in order, numbered from 1 without gaps.
    public static func all(in directory: String) throws(MigrationError) -> [Migration] {
        guard let listing = opendir(directory) else { throw .unreadable(directory: directory) }
        defer { closedir(listing) }
        var names: [String] = []
        while let entry = readdir(listing) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name.hasSuffix(".sql") { names.append(name) }
        }
        var migrations: [Migration] = []
        for name in names.sorted() {
            guard let version = Int(name.prefix(4)), name.dropFirst(4).first == "_" else { throw .badName(name) }
            guard version == migrations.count + 1 else { throw .gap(expected: migrations.count + 1, found: name) }
            guard let text = contents(of: directory + "/" + name) else { throw .unreadable(directory: directory) }
            migrations.append(Migration(version: version, name: name, text: text))
        }
        guard !migrations.isEmpty else { throw .unreadable(directory: directory) }
        return migrations
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
