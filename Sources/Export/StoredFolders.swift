/// The folders of the files that belong to rows.
public struct StoredFolders: Sendable {
    public var pictures: String
    public var documents: String

    public init(pictures: String, documents: String) {
        self.pictures = pictures
        self.documents = documents
    }

    /// Without files, for the formats that hold none.
    public static let none = StoredFolders(pictures: "", documents: "")
}
