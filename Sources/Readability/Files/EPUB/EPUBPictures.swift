import FoundationEssentials

/// The pictures of a book. They have no address, so the article holds them itself, as data URLs.
struct EPUBPictures {
    /// Bytes of all data URLs that were given out.
    private(set) var bytes = 0

    private let read: (_ path: String, _ limit: Int) -> [UInt8]?
    private var known: [String: String?] = [:]
    /// Bytes that may still be read, also of files that turn out not to be pictures.
    private var left = 16_000_000

    /// The largest picture in bytes, and the most bytes of data URLs: what the sanitizer lets an article have.
    private static let maxPicture = 390_000
    private static let maxBytes = 2 << 20

    /// - Parameter read: the content of a part, by its path in the archive; nil where there is none of at most so many
    ///   bytes.
    init(_ read: @escaping (_ path: String, _ limit: Int) -> [UInt8]?) { self.read = read }

    /// The picture at a path in the archive as a data URL; nil where there is none, or it is too large. The pictures
    /// that come first have precedence.
    mutating func address(of path: String) -> String? {
        let address = known[path] ?? encoded(path)
        known[path] = .some(address)
        guard let address, bytes + address.utf8.count <= Self.maxBytes else { return nil }
        bytes += address.utf8.count
        return address
    }

    private mutating func encoded(_ path: String) -> String? {
        guard left > 0, let picture = read(path, min(left, Self.maxPicture)) else { return nil }
        left -= picture.count
        guard let type = Self.type(picture) else { return nil }
        return "data:image/\(type);base64,\(Data(picture).base64EncodedString())"
    }

    /// The subtype of its media type, by the first bytes.
    private static func type(_ picture: [UInt8]) -> String? {
        if picture.starts(with: [0xFF, 0xD8, 0xFF]) { return "jpeg" }
        if picture.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return "png" }
        if picture.starts(with: "GIF8".utf8) { return "gif" }
        if picture.starts(with: "RIFF".utf8), picture.dropFirst(8).starts(with: "WEBP".utf8) { return "webp" }
        return nil
    }
}
