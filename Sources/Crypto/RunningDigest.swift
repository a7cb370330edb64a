import CCrypto

/// SHA-256 of bytes that arrive in parts.
public struct RunningDigest: ~Copyable {
    private let context: OpaquePointer

    public init() {
        // Nil means that there is no memory left. Nothing else can fail for SHA-256.
        context = EVP_MD_CTX_new()!
        EVP_DigestInit_ex(context, EVP_sha256(), nil)
    }

    deinit { EVP_MD_CTX_free(context) }

    public mutating func add(_ bytes: ArraySlice<UInt8>) {
        bytes.withUnsafeBytes { _ = EVP_DigestUpdate(context, $0.baseAddress, $0.count) }
    }

    /// Returns the 32 bytes of what was added so far.
    public func current() -> [UInt8] {
        let copy = RunningDigest()
        EVP_MD_CTX_copy_ex(copy.context, context)
        return copy.finish()
    }

    /// Returns the 32 bytes. Nothing can be added afterwards.
    public consuming func finish() -> [UInt8] {
        var output = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        EVP_DigestFinal_ex(context, &output, nil)
        return output
    }
}
