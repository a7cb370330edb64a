/// Decides which passwords users may choose.
public struct PasswordPolicy: Sendable {
    /// The minimum number of characters in a password.
    public static let minLength = 6
    /// The maximum number of bytes of a password, as in GoTrue, where it is the limit of bcrypt. Here it bounds the
    /// work of hashing.
    public static let maxBytes = 72

    /// The reason why a password is refused, with the names that clients know.
    public enum Weakness: String, Sendable, Equatable {
        case length
        /// The password is on the list of common passwords.
        case common = "pwned"

        var message: String {
            switch self {
            case .length: "Password should be at least \(PasswordPolicy.minLength) characters."
            case .common: "Password is very common and easy to guess. Choose a different one."
            }
        }
    }

    private let common: Set<String>

    /// - Parameter common: passwords that are refused by exact match.
    public init(common: some Sequence<String>) {
        self.common = Set(common.lazy.filter { $0.utf8.count >= Self.minLength })
    }

    /// - Parameter list: a list in the format of Debian's `john-data`: one password per line, most common first; lines
    ///   that begin with `#!comment:` are skipped.
    public init(list: some StringProtocol) {
        self.init(
            // Splits by bytes, because Swift treats the line end \r\n as one character that differs from \n.
            common: list.utf8.split(separator: UInt8(ascii: "\n")).lazy
                .map { String(decoding: $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0, as: UTF8.self) }
                .filter { !$0.hasPrefix("#!comment:") })
    }

    /// The password.
    ///
    /// - Throws: `weakPassword` or `validationFailed` if it is not acceptable.
    func checked(_ password: String?) throws(AuthError) -> String {
        guard let password, !password.isEmpty else { throw .validationFailed("Signup requires a valid password") }
        guard password.utf8.count <= Self.maxBytes else {
            throw .validationFailed("Password cannot be longer than \(Self.maxBytes) bytes")
        }
        guard password.count >= Self.minLength else { throw .weakPassword(.length) }
        guard !common.contains(password) else { throw .weakPassword(.common) }
        return password
    }
}
