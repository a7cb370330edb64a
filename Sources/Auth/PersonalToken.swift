import Crypto

/// A personal API token: `lct_` and 32 random bytes in base 64. Shown once; the database holds its hash.
public struct PersonalToken: Sendable {
    /// What a token may be used for. Which of them a route takes is said in the table of routes.
    public enum Scope: String, Sendable, CaseIterable {
        /// Sees everything of the user, changes nothing.
        case read
        /// Adds links, and sees no others.
        case save
        /// What the user may do over REST.
        case full
    }

    public static let mark = "lct_"
    /// Characters of a token that are kept to tell it from others.
    static let prefixLength = 12

    public let text: String

    /// A new one.
    public init() { text = Self.mark + Base64URL.encode(SecureRandom.bytes(32)) }

    /// A token somebody sent; nil for text that is none.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.mark), text.utf8.count == Self.mark.utf8.count + 43 else { return nil }
        self.text = text
    }

    public var prefix: String { String(text.prefix(Self.prefixLength)) }

    /// SHA-256 in hexadecimal, as `decode(…, 'hex')` reads it.
    public var hash: String { Digest.hex(Digest.sha256(text.utf8)) }
}
