/// What a file of a book is, by the ending of its name.
public enum BookFileType: String, CaseIterable, Sendable {
    case book = "epub"
    /// The cover, for catalogs: OPDS allows pictures as GIF, JPEG and PNG only.
    case cover = "jpg"

    var contentType: String {
        switch self {
        case .book: "application/epub+zip"
        case .cover: "image/jpeg"
        }
    }

    /// The file, and the id of its book, that a name such as `<id>.epub` stands for.
    static func parse(_ name: String) -> (file: BookFileType, id: RowID)? {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let file = BookFileType(rawValue: String(parts[1])), let id = RowID(String(parts[0]))
        else {
            return nil
        }
        return (file, id)
    }
}
