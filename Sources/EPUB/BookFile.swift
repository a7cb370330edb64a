/// A file in a book.
public struct BookFile: Sendable {
    public var name: String
    public var content: @Sendable () throws -> [UInt8]
    /// Whether the file is stored as it is: the media type, which must be readable at the beginning of the book, and
    /// pictures, which are compressed already.
    public var isStored = false

    init(_ name: String, _ content: @escaping @Sendable () throws -> [UInt8], isStored: Bool = false) {
        self.name = name
        self.content = content
        self.isStored = isStored
    }

    init(_ name: String, _ bytes: [UInt8], isStored: Bool = false) {
        self.init(name, { bytes }, isStored: isStored)
    }
}
