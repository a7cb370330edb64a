import CArgon2

/// Hashes passwords with argon2id, in the encoded form `$argon2id$v=19$m=…,t=…,p=…$salt$hash`.
public struct Argon2id: Sendable {
    /// Memory in KiB. OWASP's password storage cheat sheet recommends 19 MiB with two passes.
    public var memory: UInt32 = 19_456
    public var passes: UInt32 = 2
    public var lanes: UInt32 = 1

    private static let saltLength = 16
    private static let hashLength = 32

    public init() {}

    /// The encoded hash of a password with a new salt; nil if there is not enough memory.
    public func encode(_ password: String) -> String? {
        let salt = SecureRandom.bytes(Self.saltLength)
        let bytes = Array(password.utf8)
        let length = argon2_encodedlen(passes, memory, lanes, 16, 32, Argon2_id)
        var encoded = [CChar](repeating: 0, count: length)
        let status = argon2id_hash_encoded(
            passes, memory, lanes, bytes, bytes.count, salt, Self.saltLength, Self.hashLength, &encoded, length)
        guard status == ARGON2_OK.rawValue else { return nil }
        return String(decoding: encoded.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// An encoded hash with these parameters that was not computed from a password. Comparing a password with it takes
    /// as much work as with any other hash.
    var ofNoPassword: String {
        // Zeros have the same characters in every alphabet of base 64.
        let parts = [Self.saltLength, Self.hashLength].map { Base64URL.encode(Array(repeating: 0, count: $0)) }
        return "$argon2id$v=19$m=\(memory),t=\(passes),p=\(lanes)$\(parts[0])$\(parts[1])"
    }

    /// Whether an encoded hash has weaker parameters than this one, or cannot be read.
    public func needsRehash(_ encoded: String) -> Bool {
        // $argon2id$v=19$m=19456,t=2,p=1$salt$hash
        let parts = encoded.split(separator: "$")
        guard parts.count == 5, parts[0] == "argon2id", parts[1] == "v=19" else { return true }
        let numbers = parts[2].split(separator: ",").map { UInt32($0.drop { $0 != "=" }.dropFirst()) ?? 0 }
        guard numbers.count == 3 else { return true }
        return numbers[0] < memory || numbers[1] < passes || numbers[2] < lanes
    }

    /// Whether a password matches an encoded hash; false also for text that is not a hash.
    public func verify(_ password: String, against encoded: String) -> Bool {
        let bytes = Array(password.utf8)
        return argon2id_verify(encoded, bytes, bytes.count) == ARGON2_OK.rawValue
    }
}
