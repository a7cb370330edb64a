import Auth
import Crypto
import FoundationEssentials
import HTTP
import Postgres
import Settings

/// The accounts as the auth API knows them, for the admin: the same rules, the same words, the admin's own connection.
enum AdminAccounts {
    /// An account that somebody named.
    struct Named {
        var id: String
        var email: String
    }

    /// By address, however it is typed, or by id.
    static func find(_ user: String) throws -> Named {
        let rows = try AdminDatabase.run(
            "select id, email from auth.users where email_key = lower(normalize(\(user), nfkc)) or id::text = lower(\(user))")
        guard rows.count == 1, let id = rows.text(0, 0), let email = rows.text(0, 1) else {
            throw CommandError("there is no account of \(user)")
        }
        return Named(id: id, email: email)
    }

    /// Calls the auth API as an admin would, without a web server in between.
    ///
    /// - Returns: what the answer's JSON says of these members.
    @discardableResult
    static func call(_ endpoint: (Accounts) throws -> Response) throws -> Answer {
        let database = try database()
        let settings = try Settings(environment: Environment.all)
        // No key signs or verifies anything here, so it may be any.
        let rules = Accounts.Rules(
            keys: TokenKeys(secret: Base64URL.encode(SecureRandom.bytes(32))), hasher: PasswordHasher(),
            policy: PasswordPolicy(list: (try? String(contentsOfFile: settings.text("COMMON_PASSWORDS"), encoding: .utf8)) ?? ""),
            publicURL: site, lifetime: 3_600, signup: .closed, isLimited: false)
        let accounts = Accounts(
            rules, from: Accounts.Origin(userAgent: nil, address: nil), now: 0,
            transactions: IdentityTransactions(database, as: AdminDatabase.identity))
        do {
            let response = try AdminDatabase.telling { try endpoint(accounts) }
            guard !response.body.isEmpty else { return Answer() }
            return try JSONDecoder().decode(Answer.self, from: Data(response.body))
        } catch let error as AuthError {
            throw CommandError(error.message)
        }
    }

    /// What commands want to know of an answer.
    struct Answer: Decodable {
        var id: String?
        var hashed_token: String?
    }

    /// Where a link leads: to the page that asks before it uses it up, the token behind `#`, which no log sees.
    static func link(_ token: String, _ kind: String) -> String { "\(site)/account/#token_hash=\(token)&type=\(kind)" }

    /// The address of the service as its users know it.
    private static var site: String {
        let environment = Environment.all
        return environment["LECTERN_SITE"] ?? environment["LECTERN_URL"] ?? "http://127.0.0.1:8080"
    }

    private static func database() throws -> Database {
        // Asked here, where the error still has its own words.
        _ = try AdminDatabase.connection()
        return Database(Environment.all["LECTERN_DATABASE_URL"] ?? "")
    }
}
