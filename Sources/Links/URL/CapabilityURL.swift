/// URLs that open to whoever knows them (W3C, "Good Practices for Capability URLs"): what they lead to is for one reader.
public enum CapabilityURL {
    /// Whether a URL looks like one: with user information, a parameter that is named like a secret, or a value or part of the
    /// path that looks drawn by lot. Better one too many than one too few.
    public static func isLikely(_ url: String) -> Bool {
        let split = SplitURL(url)
        if split.authority?.utf8.contains(UInt8(ascii: "@")) ?? false { return true }
        let parameters = [split.query, split.fragment].compactMap { $0 }.flatMap { $0.split(whereSeparator: { "&;".contains($0) }) }
        return parameters.contains(where: isSecret) || split.path.split(separator: "/").contains { isRandom($0, from: longestPart) }
    }

    private static func isSecret(_ parameter: Substring) -> Bool {
        let name = parameter.prefix { $0 != "=" }.lowercased()
        return names.contains(where: name.contains) || isRandom(parameter.dropFirst(name.count + 1), from: longestValue)
    }

    /// As they stand in the names of parameters that sign requests or let somebody in.
    private static let names = [
        "token", "key", "sig", "auth", "sess", "secret", "pass", "pwd", "code", "jwt", "nonce", "credential", "expires", "ticket",
        "invite", "hash", "hmac", "sso", "login", "magic", "otp", "share",
    ]
    /// Lengths from which a text without a word in it is a secret rather than an id.
    private static let (longestValue, longestPart) = (16, 22)

    /// Long, of letters and digits in no order of words: with digits among the letters, or with capitals in the middle.
    private static func isRandom(_ text: Substring, from length: Int) -> Bool {
        // Words are joined by these, and base64url has two of them among its letters.
        isUUID(text) || text.utf8.count >= length && kinds(text) == 3
            || text.split(whereSeparator: { "-_.~+%,:".contains($0) }).contains { $0.utf8.count >= length && kinds($0) > 1 }
    }

    /// How many there are of digits, small letters, and capitals other than the first.
    private static func kinds(_ text: Substring) -> Int {
        [0x30...0x39, 0x61...0x7A].count { range in text.utf8.contains { range.contains($0) } }
            + (text.utf8.dropFirst().contains { (0x41...0x5A).contains($0) } ? 1 : 0)
    }

    private static func isUUID(_ text: Substring) -> Bool {
        text.utf8.count == 36 && text.split(separator: "-", omittingEmptySubsequences: false).map(\.utf8.count) == [8, 4, 4, 4, 12]
    }
}
