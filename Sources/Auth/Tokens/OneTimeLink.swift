import Crypto
import FoundationEssentials
import Postgres

/// A link, or a code of six digits, that authenticates a user once. The database stores hashes of both.
struct OneTimeLink {
    let id = UUID().uuidString.lowercased()
    let kind: MailText.Kind
    /// 256 random bits in base 64.
    let token = Base64URL.encode(SecureRandom.bytes(32))
    let code: String

    init(_ kind: MailText.Kind) {
        self.kind = kind
        // 2⁶⁴ is not a multiple of a million; this makes small numbers more likely by less than one in 10¹³.
        let number = SecureRandom.bytes(8).reduce(0) { $0 << 8 | UInt64($1) } % 1_000_000
        let digits = String(number)
        code = String(repeating: "0", count: 6 - digits.count) + digits
    }

    /// SHA-256 in hexadecimal, for `decode(…, 'hex')`.
    static func hash(_ token: String) -> String { Digest.hex(Digest.sha256(token.utf8)) }

    /// The URL of the link: a page of the web reader, with the token after `#`, where servers and logs do not see it.
    /// Opening the page does not use the link, because mail scanners open links too.
    func url(_ publicURL: String) -> String { "\(publicURL)/account/#token_hash=\(token)&type=\(kind.rawValue)" }

    /// How the link reaches its user.
    enum Delivery {
        /// By a mail, which does not contain the code.
        case mailed
        /// By an admin, who sees the link and its code.
        case shownToAdmin
    }

    /// The statement that stores the link and replaces an older one of its kind.
    func storing(for user: String, _ delivery: Delivery) -> SQL {
        let code = delivery == .shownToAdmin ? self.code : nil
        return """
            select auth.store_link(\(user)::uuid, \(kind.rawValue), \(id)::uuid,
                decode(\(Self.hash(token)), 'hex'), \(code),
                    \(kind.lifetime) * interval '1 second')
            """
    }
}
