import Crypto

/// The URLs of files with a signature instead of a token, because a browser cannot send headers when it opens one.
extension Accounts {
    /// What a signature is for, so that it opens nothing else.
    enum SignedFile: String {
        case export = "export file"
        case copy = "copied page"
    }

    /// Seconds the URL of a file is valid.
    private static let lifetime = 600

    /// A path with a signature.
    ///
    /// - Parameters:
    ///   - path: without a query.
    ///   - id: of the file; a UUID in lower case.
    func signed(_ path: String, _ file: SignedFile, id: String) -> String {
        let expires = now + Self.lifetime
        return "\(path)?expires=\(expires)&signature=\(signature(file, id, expires, rules.keys.current))"
    }

    /// Whether the query of a request has the signature of a file, and the URL has not expired.
    func isSigned(_ file: SignedFile, id: String, expires: String?, signature presented: String?) -> Bool {
        guard let expires = expires.flatMap({ Int($0) }), expires > now, let presented else { return false }
        return rules.keys.all(now: now).contains { key in
            Digest.equalInConstantTime(Array(signature(file, id, expires, key).utf8), Array(presented.utf8))
        }
    }

    private func signature(_ file: SignedFile, _ id: String, _ expires: Int, _ key: JWTKey) -> String {
        Base64URL.encode(Digest.hmacSHA256("\(id) \(expires)".utf8, key: key.derived(for: file.rawValue)))
    }
}
