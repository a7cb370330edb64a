import Crypto
import FoundationEssentials
import HTTP

/// Signs and verifies JSON Web Tokens (RFC 7519) with HMAC-SHA-256, the one algorithm there is.
public struct TokenKey: Sendable {
    private let secret: [UInt8]

    /// Seconds by which two clocks may differ.
    static let skew = 30
    /// Longest token looked at, in bytes: request headers are not longer.
    static let longest = 16_384

    /// - Parameter secret: at least 32 bytes of randomness, as text.
    public init(secret: String) { self.secret = Array(secret.utf8) }

    /// A key for another purpose, which knowing one of its products does not help against this one.
    func derived(for purpose: String) -> [UInt8] { Digest.hmacSHA256(purpose.utf8, key: secret) }

    /// A token of these claims.
    ///
    /// - Parameter payload: JSON text of an object; written in the token alphabet, so that a client which decodes it
    ///   with the standard base 64 alphabet can read it.
    public func sign(payload: String) -> String {
        let head = Self.header + "." + Base64URL.encode(JSONText.inTokenAlphabet(payload).utf8)
        return head + "." + Base64URL.encode(Digest.hmacSHA256(head.utf8, key: secret))
    }

    private static let header = Base64URL.encode(#"{"alg":"HS256","typ":"JWT"}"#.utf8)

    /// The caller a token stands for.
    ///
    /// - Parameter now: epoch seconds.
    public func verify(_ token: String, now: Int) throws(TokenError) -> Caller {
        guard token.utf8.count <= Self.longest else { throw .invalidToken("The token is too long") }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw .invalidToken("Expected 3 parts in JWT; got \(token.isEmpty ? 0 : parts.count)")
        }
        guard let headerBytes = Base64URL.decode(parts[0]), let payload = Base64URL.decode(parts[1]),
            let signature = Base64URL.decode(parts[2])
        else { throw .invalidToken("The token cannot be decoded") }
        // Everything but our own header is looked at closely; ours is known.
        if parts[0] != Self.header {
            guard let header = try? JSONDecoder().decode(Header.self, from: Data(headerBytes)) else {
                throw .invalidToken("The token cannot be decoded")
            }
            guard header.alg == "HS256", header.crit == nil else { throw .invalidToken("Wrong or unsupported encoding algorithm") }
        }
        let signed = token.utf8.prefix(parts[0].utf8.count + 1 + parts[1].utf8.count)
        guard Digest.equalInConstantTime(signature, Digest.hmacSHA256(signed, key: secret)) else {
            throw .invalidToken("No suitable key or wrong key type")
        }
        guard let text = String(validating: payload, as: UTF8.self),
            let claims = try? JSONDecoder().decode(Claims.self, from: Data(payload))
        else { throw .invalidClaims("Parsing claims failed") }
        return try claims.caller(text, now: now)
    }

    private struct Header: Decodable {
        var alg: String
        /// Extensions that must be understood (RFC 7515 section 4.1.11); we understand none.
        var crit: [String]?
    }

    private struct Claims: Decodable {
        var role: String?
        var sub: String?
        var session_id: String?
        var exp: Double?
        var nbf: Double?
        var iat: Double?

        func caller(_ text: String, now: Int) throws(TokenError) -> Caller {
            guard let exp else { throw .invalidClaims("The token has no expiry") }
            guard exp.isFinite, exp > Double(now - TokenKey.skew) else { throw .invalidClaims("JWT expired") }
            if let nbf, nbf > Double(now + TokenKey.skew) { throw .invalidClaims("JWT not yet valid") }
            if let iat, iat > Double(now + TokenKey.skew) { throw .invalidClaims("JWT issued at future") }
            guard let role = role.flatMap(Caller.Role.init) else { throw .invalidClaims("The role is not allowed") }
            if role == .authenticated {
                guard let sub, UUID(uuidString: sub) != nil else { throw .invalidClaims("The subject is no user id") }
            }
            return Caller(
                role: role, userID: role == .authenticated ? sub?.lowercased() : nil, sessionID: session_id,
                claims: text, expiresAt: Int(min(exp, 1e15)))
        }
    }
}

/// The two keys every client is configured with: long-lived tokens of a role, not of a user.
public struct APIKeys: Sendable, Equatable {
    public let anon: String
    public let service: String

    /// Epoch seconds of the keys' issue: a fixed day, so that the same secret always makes the same keys.
    private static let issuedAt = 1_767_225_600  // 2026-01-01
    /// Twenty years.
    private static let expiresAt = issuedAt + 20 * 365 * 86_400

    public init(_ key: TokenKey) {
        func token(_ role: Caller.Role) -> String {
            key.sign(
                payload:
                    #"{"iss":"lectern","role":"\#(role.rawValue)","iat":\#(Self.issuedAt),"exp":\#(Self.expiresAt)}"#)
        }
        anon = token(.anon)
        service = token(.serviceRole)
    }
}
