import CCrypto

/// Hashes and message authentication codes, by OpenSSL.
public enum Digest {
    /// SHA-256: 32 bytes.
    public static func sha256(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let input = Array(bytes)
        var output = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        _ = SHA256(input, input.count, &output)
        return output
    }

    /// SHA-1: 20 bytes. Only for protocols of others that name things by it; it protects nothing.
    public static func sha1(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let input = Array(bytes)
        var output = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
        _ = SHA1(input, input.count, &output)
        return output
    }

    /// HMAC-SHA-256 (RFC 2104): 32 bytes.
    public static func hmacSHA256(_ bytes: some Sequence<UInt8>, key: [UInt8]) -> [UInt8] {
        hmacSHA256(Array(bytes), key: key)
    }

    /// HMAC-SHA-256 of an array, without a copy.
    public static func hmacSHA256(_ input: [UInt8], key: [UInt8]) -> [UInt8] {
        var output = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        var length: UInt32 = 0
        _ = HMAC(EVP_sha256(), key, Int32(key.count), input, input.count, &output, &length)
        return output
    }

    /// Whether two byte strings are equal. The time depends on their length only.
    public static func equalInConstantTime(_ left: [UInt8], _ right: [UInt8]) -> Bool {
        left.count == right.count && CRYPTO_memcmp(left, right, left.count) == 0
    }

    /// Lower-case hexadecimal.
    public static func hex(_ bytes: some Sequence<UInt8>) -> String {
        let bytes = Array(bytes)
        return String(unsafeUninitializedCapacity: 2 * bytes.count) { text in
            for (place, byte) in bytes.enumerated() {
                text[2 * place] = digits[Int(byte >> 4)]
                text[2 * place + 1] = digits[Int(byte & 15)]
            }
            return 2 * bytes.count
        }
    }

    private static let digits = Array("0123456789abcdef".utf8)
}
