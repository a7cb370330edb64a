import Crypto

/// A personal API token: `lct_` and 32 random bytes in base 64. It is shown once; the database stores its hash.
public struct PersonalToken: Sendable {
    /// What a token permits.
    public enum Scope: String, Sendable, CaseIterable, Decodable {
        /// Reads everything of the user and changes nothing.
        case read
        /// Adds links, and learns only their ids and states.
        case save
        /// Does everything that the user may do, except changes of the account.
        case full
        /// Opens feeds, catalogs and books. The only scope that is accepted in a path.
        case feed

        /// The scope in a sentence for the user, without a full stop.
        public var explanation: String {
            switch self {
            case .read: "The scope of this API token is \"read\": it reads everything and changes nothing"
            case .save: "The scope of this API token is \"save\": it adds links, and cannot read or change others"
            case .full: "The scope of this API token is \"full\": it does everything except change the account"
            case .feed:
                "The scope of this API token is \"feed\": it opens feeds, catalogs and books, and nothing else"
            }
        }
    }

    /// The beginning of every token.
    public static let textPrefix = "lct_"
    /// The number of characters that are stored to tell tokens apart.
    static let prefixLength = 12

    public let text: String

    /// A new random token.
    public init() { text = Self.textPrefix + Base64URL.encode(SecureRandom.bytes(32)) }

    /// A token from a request; nil if the text is not a token.
    public init?(_ text: String) {
        guard text.hasPrefix(Self.textPrefix), text.utf8.count == Self.textPrefix.utf8.count + 43 else { return nil }
        self.text = text
    }

    /// The beginning of the text, for lists of tokens.
    public var prefix: String { String(text.prefix(Self.prefixLength)) }

    /// SHA-256 in hexadecimal, for `decode(…, 'hex')`.
    public var hash: String { Digest.hex(Digest.sha256(text.utf8)) }
}
