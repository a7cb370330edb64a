import FoundationEssentials

/// The user name and the password of HTTP Basic authentication (RFC 7617), in UTF-8.
struct BasicCredentials: Equatable {
    var user: String
    var password: String

    /// Bytes of the longest header that is decoded: an address of 254 bytes and a token take some 400.
    private static let maxBytes = 2_048

    /// - Parameter authorization: the value of the header `Authorization`.
    /// - Returns: nil for another scheme, and for text that is not the base 64 of a user name, a colon and a password.
    init?(_ authorization: String) {
        guard authorization.utf8.count <= Self.maxBytes else { return nil }
        let parts = authorization.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "basic",
            let decoded = Data(base64Encoded: String(parts[1]).trimmingBlanks),
            let text = String(validating: decoded, as: UTF8.self), let colon = text.firstIndex(of: ":")
        else { return nil }
        user = String(text[..<colon])
        password = String(text[text.index(after: colon)...])
    }
}
