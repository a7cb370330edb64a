/// Which passwords are taken.
public struct PasswordPolicy: Sendable {
    /// Fewest characters.
    public static let shortest = 6
    /// Most bytes, as GoTrue has it (bcrypt's limit there; a bound on hashing work here).
    public static let longest = 72

    /// Why a password is refused, in the words clients know.
    public enum Weakness: String, Sendable, Equatable {
        case length
        /// On the list of those that everybody tries first.
        case common = "pwned"

        var message: String {
            switch self {
            case .length: "Password should be at least \(PasswordPolicy.shortest) characters."
            case .common: "Password is one of the most common ones and easy to guess, please choose a different one."
            }
        }
    }

    private let common: Set<String>

    /// - Parameter common: the passwords that are refused by exact match.
    public init(common: some Sequence<String>) {
        self.common = Set(common.lazy.filter { $0.utf8.count >= Self.shortest })
    }

    /// A list as Debian's `john-data` has it: one password a line, the most common first, lines that begin with
    /// `#!comment:` left out.
    public init(list: some StringProtocol) {
        self.init(
            // By bytes: to Swift, a line that ends as on Windows ends in one character that is no line feed.
            common: list.utf8.split(separator: UInt8(ascii: "\n")).lazy
                .map { String(decoding: $0.last == UInt8(ascii: "\r") ? $0.dropLast() : $0, as: UTF8.self) }
                .filter { !$0.hasPrefix("#!comment:") })
    }

    /// The password, if it will do.
    func checked(_ password: String?) throws(AuthError) -> String {
        guard let password, !password.isEmpty else { throw .validationFailed("Signup requires a valid password") }
        guard password.utf8.count <= Self.longest else {
            throw .validationFailed("Password cannot be longer than \(Self.longest) bytes")
        }
        guard password.count >= Self.shortest else { throw .weakPassword(.length) }
        guard !common.contains(password) else { throw .weakPassword(.common) }
        return password
    }
}
