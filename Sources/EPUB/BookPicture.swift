/// A picture of a book.
public struct BookPicture: Sendable {
    public enum Kind: String, Sendable {
        case jpeg, png, gif

        var mediaType: String { "image/\(rawValue)" }
        var fileExtension: String { self == .jpeg ? "jpg" : rawValue }

        /// The kind of a file by its first bytes; nil for one that books may not contain.
        public init?(_ bytes: some Collection<UInt8>) {
            if bytes.starts(with: [0xFF, 0xD8, 0xFF]) {
                self = .jpeg
            } else if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) {
                self = .png
            } else if bytes.starts(with: Array("GIF87a".utf8)) || bytes.starts(with: Array("GIF89a".utf8)) {
                self = .gif
            } else {
                return nil
            }
        }
    }

    public var kind: Kind
    /// Reads the bytes when the book is written, so that a book holds one picture at a time.
    public var content: @Sendable () throws -> [UInt8]

    public init(_ kind: Kind, content: @escaping @Sendable () throws -> [UInt8]) {
        self.kind = kind
        self.content = content
    }
}
