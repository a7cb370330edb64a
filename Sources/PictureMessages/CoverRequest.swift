/// What a cover shows: two lines of text, and a picture where there is one.
public struct CoverRequest: Equatable, Sendable {
    public var title: String
    public var site: String
    /// The file of the picture; may be empty.
    public var picture: [UInt8]

    public init(title: String, site: String, picture: [UInt8]) {
        self.title = title
        self.site = site
        self.picture = picture
    }

    /// The texts, each ended by a NUL, and the picture.
    public var bytes: [UInt8] {
        [title, site].flatMap { $0.utf8.filter { $0 != 0 } + [0] } + picture
    }

    /// - Returns: nil where the bytes are not a request.
    public init?(_ bytes: [UInt8]) {
        let parts = bytes.split(separator: 0, maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let title = String(validating: parts[0], as: UTF8.self),
            let site = String(validating: parts[1], as: UTF8.self)
        else { return nil }
        self.init(title: title, site: site, picture: Array(parts[2]))
    }
}
