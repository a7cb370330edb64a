import Crypto
import FoundationEssentials

/// A refresh token: the session, the token's number in the session, and a keyed hash of both.
///
/// It is derived from the key and never stored. So a copy of the database contains no token, and a token can be sent
/// again after its response was lost.
struct RefreshToken: Equatable {
    /// The UUID of the session.
    var session: String
    /// 1 for the first token of a session; each refresh increments it.
    var generation: Int

    init(session: String, generation: Int) {
        self.session = session
        self.generation = generation
    }

    /// The text of the token: session, generation and hash in base 64.
    func text(_ key: JWTKey) -> String {
        let body = Self.body(session, generation)
        return Base64URL.encode(body + Self.mac(body, key))
    }

    /// The token of a text; nil if the key did not make it.
    init?(_ text: String, _ key: JWTKey) {
        guard text.utf8.count < 100, let bytes = Base64URL.decode(text), bytes.count == 16 + 4 + Self.macLength
        else { return nil }
        let body = Array(bytes[..<20])
        guard Digest.equalInConstantTime(Array(bytes[20...]), Self.mac(body, key)) else { return nil }
        session = Self.uuid(body[..<16])
        generation = body[16..<20].reduce(0) { $0 << 8 | Int($1) }
    }

    /// The length of the truncated hash in bytes: 128 bits cannot be guessed.
    private static let macLength = 16

    private static func mac(_ body: [UInt8], _ key: JWTKey) -> [UInt8] {
        Array(Digest.hmacSHA256(body, key: key.derived(for: "refresh token")).prefix(macLength))
    }

    private static func body(_ session: String, _ generation: Int) -> [UInt8] {
        let digits = session.utf8.filter { $0 != UInt8(ascii: "-") }
        var bytes: [UInt8] = []
        var index = 0
        while index + 1 < digits.count {
            bytes.append(UInt8(String(decoding: digits[index...index + 1], as: UTF8.self), radix: 16) ?? 0)
            index += 2
        }
        for shift in [24, 16, 8, 0] { bytes.append(UInt8(truncatingIfNeeded: generation >> shift)) }
        return bytes
    }

    private static func uuid(_ bytes: ArraySlice<UInt8>) -> String {
        let hex = Array(Digest.hex(bytes))
        return [hex[0..<8], hex[8..<12], hex[12..<16], hex[16..<20], hex[20..<32]].map { String($0) }
            .joined(separator: "-")
    }
}
