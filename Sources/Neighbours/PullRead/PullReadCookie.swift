import HTTP

/// The cookie that signs PullRead's viewer in, which can send no other credentials: it holds a token. Browsers send it to
/// reading paths only, and to no page of another site.
public enum PullReadCookie {
    static let name = "lectern_token"
    /// A cookie of its own, since the icons of sites are not below `/api`.
    static let iconsName = "lectern_icons"

    /// The token in the cookies of a request; nil without one.
    public static func token(in headers: Headers) -> String? {
        for field in headers.values("cookie") {
            for pair in field.split(separator: ";") {
                let parts = pair.drop { $0 == " " }.split(separator: "=", maxSplits: 1)
                if parts.count == 2, [name, iconsName].contains(String(parts[0])) { return String(parts[1]) }
            }
        }
        return nil
    }

    /// The fields that set or delete the cookies.
    ///
    /// - Parameters:
    ///   - token: nil: deletes them.
    ///   - publicURL: the address of the service, whose path is before `/api`.
    ///   - seconds: for which the browser keeps them.
    static func fields(token: String?, publicURL: String, seconds: Int) -> [String] {
        let isSecure = publicURL.hasPrefix("https:")
        let path = publicURL.split(separator: "/", omittingEmptySubsequences: true).dropFirst(2)
            .map { "/" + $0 }.joined()
        return [(name, "/api"), (iconsName, "/favicons")].map { name, folder in
            "\(name)=\(token ?? ""); Path=\(path)\(folder); Max-Age=\(token == nil ? 0 : seconds); HttpOnly; "
                + "SameSite=Strict" + (isSecure ? "; Secure" : "")
        }
    }

    /// A year: the token itself can be revoked.
    static let seconds = 31_536_000
}
