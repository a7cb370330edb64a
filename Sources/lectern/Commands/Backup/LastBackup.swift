import Glibc
import JSON

/// What the home remembers of its last backup, in `run/last-backup`.
struct LastBackup: Equatable {
    /// Seconds since 1970.
    var at: Int
    var file: String
    var bytes: Int

    private static func path(in home: String) -> String { "\(home)/run/last-backup" }

    /// The backup is complete even if this fails.
    func record(in home: String) {
        let text = JSONText.object([("at", "\(at)"), ("file", JSONText.string(file)), ("bytes", "\(bytes)")]) + "\n"
        let draft = Self.path(in: home) + ".new"
        guard let output = fopen(draft, "we") else { return }
        fputs(text, output)
        fclose(output)
        rename(draft, Self.path(in: home))
    }

    init(at: Int, file: String, bytes: Int) {
        self.at = at
        self.file = file
        self.bytes = bytes
    }

    /// - Returns: nil if there was none.
    init?(in home: String) {
        guard let input = fopen(Self.path(in: home), "re") else { return nil }
        defer { fclose(input) }
        var text = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&text, 1, text.count, input)
        guard let json = JSON(parsing: text[..<count]), case .number(let at)? = json["at"],
            let file = json["file"]?.string, case .number(let bytes)? = json["bytes"]
        else { return nil }
        self.init(at: Int(at), file: file, bytes: Int(bytes))
    }
}
