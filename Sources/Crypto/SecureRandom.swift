import CCrypto

/// Random bytes for keys and tokens, from OpenSSL's generator.
public enum SecureRandom {
    /// - Precondition: the system's random source works.
    public static func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        precondition(RAND_bytes(&bytes, Int32(count)) == 1, "the system's random source failed")
        return bytes
    }
}
