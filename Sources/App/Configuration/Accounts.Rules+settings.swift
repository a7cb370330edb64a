import Auth
import Crypto
import Glibc
import Settings

extension Accounts.Rules {
    /// The rules of accounts, from the settings.
    init(_ settings: Settings) throws(Settings.Invalid) {
        self.init(
            keys: JWTKeySet(
                secret: try settings.required("JWT_SECRET"), previous: settings.list("JWT_PREVIOUS_SECRETS")),
            hasher: PasswordHasher(),
            policy: PasswordPolicy(list: Self.commonPasswords(settings.text("COMMON_PASSWORDS"))),
            publicURL: settings.text("PUBLIC_URL"), lifetime: settings.number("TOKEN_LIFETIME"),
            signup: Accounts.Signup(rawValue: settings.text("SIGNUP")) ?? .closed,
            sendsMail: settings.text("MAIL") == "on",
            isLimited: settings.text("RATE_LIMITS") == "on")
    }

    /// The text of the list of common passwords, at most one megabyte. Without the file the text is empty: the service
    /// runs and accepts common passwords.
    private static func commonPasswords(_ path: String) -> String {
        guard let file = fopen(path, "re") else { return "" }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        let count = fread(&bytes, 1, bytes.count, file)
        return String(decoding: bytes[..<count], as: UTF8.self)
    }
}
