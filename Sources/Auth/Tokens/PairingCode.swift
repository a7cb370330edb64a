import Crypto

/// A code with which another device gets an API token: 50 random bits as ten characters that a person can read and type
/// (Crockford's base 32). It works once and for some minutes, and guesses are delayed, so that it can be this short.
public struct PairingCode: Sendable, Equatable {
    /// Without I, L, O and U.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")
    private static let length = 10

    /// The ten characters, in upper case.
    let characters: String

    /// A new random code.
    public init() {
        // 256 is a multiple of 32, so that every character is equally likely.
        characters = String(SecureRandom.bytes(Self.length).map { Self.alphabet[Int($0 & 31)] })
    }

    /// A typed code: in any case, with or without the hyphen, O for 0, I or L for 1. Nil if the text is not a code.
    public init?(_ text: String) {
        guard text.utf8.count <= 64 else { return nil }
        var characters = ""
        for character in text.uppercased() where character != "-" && !character.isWhitespace {
            switch character {
            case "O": characters.append("0")
            case "I", "L": characters.append("1")
            case _ where Self.alphabet.contains(character): characters.append(character)
            default: return nil
            }
        }
        guard characters.count == Self.length else { return nil }
        self.characters = characters
    }

    /// The code as it is shown: two groups of five.
    public var text: String { "\(characters.prefix(5))-\(characters.suffix(5))" }

    /// SHA-256 in hexadecimal, for `decode(…, 'hex')`.
    var hash: String { Digest.hex(Digest.sha256("pairing \(characters)".utf8)) }
}
