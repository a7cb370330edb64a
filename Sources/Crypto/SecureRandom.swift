import CCrypto

/// Random bytes fit for keys and tokens, by OpenSSL's generator.
public enum SecureRandom {
    /// - Precondition: the system has a working source of randomness; without one nothing here may go on.
    public static func bytes(_ count: Int) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        precondition(RAND_bytes(&bytes, Int32(count)) == 1, "the system's random source failed")
        return bytes
    }
}
