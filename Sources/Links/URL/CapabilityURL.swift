/// Capability URLs grant access to everyone who knows them (W3C, "Good Practices for Capability URLs"). Their content
/// is intended for one reader.
public enum CapabilityURL {
    /// Whether a URL looks like a capability URL: it contains user information, a parameter named like a secret, or a
    /// value or path segment that looks random. False positives are preferred to false negatives.
    public static func isLikely(_ url: String) -> Bool {
        let split = SplitURL(url)
        if split.authority?.utf8.contains(UInt8(ascii: "@")) ?? false { return true }
        let parameters = [split.query, split.fragment].compactMap { $0 }.flatMap {
            $0.split(whereSeparator: { "&;".contains($0) })
        }
        return parameters.contains(where: isSecret)
            || split.path.split(separator: "/").contains { isRandom($0, from: minimumSegmentLength) }
    }

    private static func isSecret(_ parameter: Substring) -> Bool {
        let name = parameter.prefix { $0 != "=" }.lowercased()
        return names.contains(where: name.contains)
            || isRandom(parameter.dropFirst(name.count + 1), from: minimumValueLength)
    }

    /// Substrings of parameter names used to sign requests or to authorize.
    private static let names = [
        "token", "key", "sig", "auth", "sess", "secret", "pass", "pwd", "code", "jwt", "nonce", "credential", "expires",
        "ticket",
        "invite", "hash", "hmac", "sso", "login", "magic", "otp", "share",
    ]
    /// Minimum lengths from which text without words counts as a secret rather than an id.
    private static let (minimumValueLength, minimumSegmentLength) = (16, 22)

    /// Whether a text is long and mixes letters and digits without forming words: digits among the letters, or capitals
    /// in the middle.
    private static func isRandom(_ text: Substring, from length: Int) -> Bool {
        // These characters join words; base64url uses two of them as letters.
        isUUID(text) || text.utf8.count >= length && characterClassCount(text) == 3
            || text.split(whereSeparator: { "-_.~+%,:".contains($0) }).contains {
                $0.utf8.count >= length && characterClassCount($0) > 1
            }
    }

    /// Counts how many of these occur: digits, small letters, capitals other than the first character.
    private static func characterClassCount(_ text: Substring) -> Int {
        [0x30...0x39, 0x61...0x7A].count { range in text.utf8.contains { range.contains($0) } }
            + (text.utf8.dropFirst().contains { (0x41...0x5A).contains($0) } ? 1 : 0)
    }

    private static func isUUID(_ text: Substring) -> Bool {
        text.utf8.count == 36
            && text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count) == [8, 4, 4, 4, 12]
    }
}
