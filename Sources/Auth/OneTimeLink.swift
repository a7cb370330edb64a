import Crypto
import FoundationEssentials
import Postgres

/// A link, or six digits, that stands for its reader once. The database holds hashes of both.
struct OneTimeLink {
    let id = UUID().uuidString.lowercased()
    let kind: MailText.Kind
    /// 256 random bits in base 64.
    let token = Base64URL.encode(SecureRandom.bytes(32))
    let code: String

    init(_ kind: MailText.Kind) {
        self.kind = kind
        // A million does not divide 2⁶⁴, which makes the first digits likelier by less than one in 10¹³.
        let number = SecureRandom.bytes(8).reduce(0) { $0 << 8 | UInt64($1) } % 1_000_000
        let digits = String(number)
        code = String(repeating: "0", count: 6 - digits.count) + digits
    }

    static func hash(_ token: String) -> String { Digest.hex(Digest.sha256(token.utf8)) }

    /// Where the link leads: to a page of the web reader, with the token behind `#`, which no server and no log sees.
    /// Opening it does nothing yet, as mail scanners open links too.
    func address(_ publicURL: String) -> String { "\(publicURL)/account/#token_hash=\(token)&type=\(kind.rawValue)" }

    enum Way {
        /// In a mail, which tells no digits.
        case mailed
        /// Told to an admin with its digits.
        case told
    }

    /// Keeps the link in place of an older one of its kind.
    func storing(for user: String, _ way: Way) -> SQL {
        let code = way == .told ? self.code : nil
        return """
        select auth.store_link(\(user)::uuid, \(kind.rawValue), \(id)::uuid, decode(\(Self.hash(token)), 'hex'), \(code),
                \(kind.lifetime) * interval '1 second')
        """
    }
}
