import JSON
import Postgres
import ZIP

/// A picture or a document of a user, as an export has it.
struct StoredFile: Equatable {
    enum Kind: String { case pictures, documents }

    var kind: Kind
    /// SHA-256 of the content, in hexadecimal.
    var hash: String
    /// The path below the folder.
    var address: String
    /// The media type.
    var type: String
    var bytes: Int
    /// The name that the user has given the document.
    var name: String?

    /// - Parameter row: of a cursor of `private.personal_files`.
    init?(_ rows: Rows, _ row: Int) {
        guard let kind = rows.text(row, 0).flatMap(Kind.init), let hash = rows.text(row, 1),
            let address = rows.text(row, 2), let type = rows.text(row, 3), let bytes = rows.int(row, 4)
        else { return nil }
        self.init(kind: kind, hash: hash, address: address, type: type, bytes: bytes, name: rows.text(row, 5))
    }

    init(kind: Kind, hash: String, address: String, type: String, bytes: Int, name: String?) {
        (self.kind, self.hash, self.address, self.type) = (kind, hash, address, type)
        (self.bytes, self.name) = (bytes, name)
    }

    private static let extensions = [
        "image/webp": "webp", "application/pdf": "pdf", "application/epub+zip": "epub", "text/html": "html",
        "text/markdown": "md", "text/plain": "txt",
    ]

    /// The name of its entry.
    var entry: String { "\(kind.rawValue)/\(hash)" + (Self.extensions[type].map { "." + $0 } ?? "") }

    /// Pictures and most documents are compressed already.
    var method: ZIPFile.Method { type.hasPrefix("text/") ? .deflated : .stored }

    func path(in folders: StoredFolders) -> String {
        (kind == .pictures ? folders.pictures : folders.documents) + "/" + address
    }

    /// Its line of `files.json`.
    ///
    /// - Parameter isMissing: whether the file was gone, so that its entry is empty.
    func json(isMissing: Bool) -> String {
        var members = [
            ("path", JSONText.string(entry)), ("sha256", JSONText.string(hash)), ("bytes", String(bytes)),
            ("type", JSONText.string(type)),
        ]
        if let name { members.append(("name", JSONText.string(name))) }
        if isMissing { members.append(("missing", "true")) }
        return JSONText.object(members)
    }
}
