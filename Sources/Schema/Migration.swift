import Crypto

/// One numbered SQL file of `sql/migrations`: applied once, in order, never changed after a release.
public struct Migration: Sendable, Equatable {
    public let version: Int
    /// File name, `NNNN_what_it_does.sql`.
    public let name: String
    public let text: String

    /// SHA-256 of the text, hexadecimal: reveals a file that was edited after it was applied.
    public var checksum: String { Digest.hex(Digest.sha256(text.utf8)) }

    public init(version: Int, name: String, text: String) {
        self.version = version
        self.name = name
        self.text = text
    }
}

/// One SQL file of `sql/schema`: the current definitions of one topic. Applying it again changes nothing.
public struct Definitions: Sendable, Equatable {
    /// File name, `topic.sql`.
    public let name: String
    public let text: String

    /// SHA-256 of the text, hexadecimal.
    public var checksum: String { Digest.hex(Digest.sha256(text.utf8)) }

    public init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
