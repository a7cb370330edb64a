import Crypto
import FoundationEssentials
import JSON

/// Signs and verifies JSON Web Tokens (RFC 7519) with HMAC-SHA-256, the only supported algorithm.
public struct JWTKey: Sendable {
    private let secret: [UInt8]

    /// Tolerated difference of two clocks, in seconds.
    static let skew = 30
    /// The longest accepted token in bytes; request headers are not longer.
    static let maxBytes = 16_384

    /// - Parameter secret: at least 32 bytes of randomness, as text.
    public init(secret: String) { self.secret = Array(secret.utf8) }

    /// A key for another purpose. Values made with it reveal nothing about this key.
    func derived(for purpose: String) -> [UInt8] { Digest.hmacSHA256(purpose.utf8, key: secret) }

    /// A token with these claims.
    ///
    /// - Parameter payload: JSON text of an object. It is written in the token alphabet, so that clients that decode it
    ///   with the standard base 64 alphabet can read it.
    public func sign(payload: String) -> String {
        let head = Self.header + "." + Base64URL.encode(JSONText.inTokenAlphabet(payload).utf8)
        return head + "." + Base64URL.encode(Digest.hmacSHA256(head.utf8, key: secret))
    }

    private static let header = Base64URL.encode(#"{"alg":"HS256","typ":"JWT"}"#.utf8)

    /// The caller that a token identifies.
    ///
    /// - Parameter now: epoch seconds.
    public func verify(_ token: String, now: Int) throws(TokenError) -> Caller {
        guard token.utf8.count <= Self.maxBytes else { throw .invalidToken("The token is too long") }
        // Splits bytes: splitting a string by characters would take longer than everything else here.
        let bytes = Array(token.utf8)
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3 else {
            throw .invalidToken("Expected 3 parts in JWT; got \(token.isEmpty ? 0 : parts.count)")
        }
        guard let payload = Base64URL.decode(parts[1]), let signature = Base64URL.decode(parts[2]) else {
            throw .invalidToken("The token cannot be decoded")
        }
        // The header of our own tokens is known; any other header is decoded and checked.
        if !parts[0].elementsEqual(Self.header.utf8) {
            guard let headerBytes = Base64URL.decode(parts[0]),
                let header = try? JSONDecoder().decode(Header.self, from: Data(headerBytes))
            else { throw .invalidToken("The token cannot be decoded") }
            guard header.alg == "HS256", header.crit == nil else {
                throw .invalidToken("Wrong or unsupported encoding algorithm")
            }
        }
        let signed = Array(bytes[..<parts[1].endIndex])
        guard Digest.equalInConstantTime(signature, Digest.hmacSHA256(signed, key: secret)) else {
            throw .invalidToken("No suitable key or wrong key type")
        }
        guard let text = String(validating: payload, as: UTF8.self), let claims = Claims(payload) else {
            throw .invalidClaims("Parsing claims failed")
        }
        return try claims.caller(text, now: now)
    }

    private struct Header: Decodable {
        var alg: String
        /// Extensions that must be understood (RFC 7515 section 4.1.11); none is supported.
        var crit: [String]?
    }

    /// The claims that the verification needs. `JSONReader` reads them: every request has a token, and a decoder would
    /// take longer than the signature.
    private struct Claims {
        var role: String?
        var sub: String?
        var session: String?
        var exp: Double?
        var nbf: Double?
        var iat: Double?

        /// Nil if the payload is not an object or a claim has the wrong type. If a name occurs twice, the last one
        /// counts, as in PostgreSQL's jsonb.
        init?(_ payload: [UInt8]) {
            var walk = JSONReader(payload)
            var values: (role: Value, sub: Value, session: Value, exp: Value, nbf: Value, iat: Value)
            values = (nil, nil, nil, nil, nil, nil)
            do {
                try walk.members { name, value in
                    switch name {
                    case "role": values.role = value
                    case "sub": values.sub = value
                    case "session_id": values.session = value
                    case "exp": values.exp = value
                    case "nbf": values.nbf = value
                    case "iat": values.iat = value
                    default: break
                    }
                }
                try walk.end()
                (role, sub, session) = (
                    try Self.text(values.role), try Self.text(values.sub), try Self.text(values.session)
                )
                (exp, nbf, iat) = (
                    try Self.number(values.exp), try Self.number(values.nbf), try Self.number(values.iat)
                )
            } catch {
                return nil
            }
        }

        /// The JSON text of a claim; nil if it is absent.
        private typealias Value = ArraySlice<UInt8>?

        private static func text(_ value: ArraySlice<UInt8>?) throws(JSONReader.Malformed) -> String? {
            guard let value, !value.elementsEqual("null".utf8) else { return nil }
            guard let text = JSONReader.string(value) else { throw JSONReader.Malformed() }
            return text
        }

        private static func number(_ value: ArraySlice<UInt8>?) throws(JSONReader.Malformed) -> Double? {
            guard let value, !value.elementsEqual("null".utf8) else { return nil }
            guard let number = Double(String(decoding: value, as: UTF8.self)) else { throw JSONReader.Malformed() }
            return number
        }

        func caller(_ text: String, now: Int) throws(TokenError) -> Caller {
            guard let exp else { throw .invalidClaims("The token has no expiry") }
            guard exp.isFinite, exp > Double(now - JWTKey.skew) else { throw .expired }
            if let nbf, nbf > Double(now + JWTKey.skew) { throw .invalidClaims("JWT not yet valid") }
            if let iat, iat > Double(now + JWTKey.skew) { throw .invalidClaims("JWT issued at future") }
            guard let role = role.flatMap(Caller.Role.init) else { throw .invalidClaims("The role is not allowed") }
            if role == .authenticated {
                guard let sub, UUID(uuidString: sub) != nil else {
                    throw .invalidClaims("The subject is not a user id")
                }
            }
            return Caller(
                role: role, userID: role == .authenticated ? sub?.lowercased() : nil, sessionID: session,
                claims: text, expiresAt: Int(min(exp, 1e15)))
        }
    }
}
