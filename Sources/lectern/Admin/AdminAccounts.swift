import Auth
import Crypto
import FoundationEssentials
import HTTP
import Postgres
import Settings

/// Runs endpoints of the auth API over the admin's own connection, so that commands follow the API's rules.
enum AdminAccounts {
    /// An existing account.
    struct Account {
        var id: String
        var email: String
    }

    /// Finds an account by its e-mail address, in any case or Unicode form, or by its id.
    static func find(_ user: String) throws -> Account {
        let rows = try AdminDatabase.run(
            "select id, email from auth.users where email_key = lower(normalize(\(user), nfkc)) or id::text = lower(\(user))"
        )
        guard rows.count == 1, let id = rows.text(0, 0), let email = rows.text(0, 1) else {
            throw CommandError("no account has the address or id \(user)")
        }
        return Account(id: id, email: email)
    }

    /// Calls an endpoint of the auth API in this process, as an admin.
    ///
    /// - Returns: the members of the JSON response that commands use.
    @discardableResult
    static func call(_ endpoint: (Accounts) throws -> Response) throws -> AdminResponse {
        let database = try database()
        let settings = try Settings(environment: Environment.all)
        // Nothing is signed or verified here, so any secret will do.
        let rules = Accounts.Rules(
            keys: JWTKeySet(secret: Base64URL.encode(SecureRandom.bytes(32))), hasher: PasswordHasher(),
            policy: PasswordPolicy(
                list: (try? String(contentsOfFile: settings.text("COMMON_PASSWORDS"), encoding: .utf8)) ?? ""),
            publicURL: site, lifetime: 3_600, signup: .closed, isLimited: false)
        let accounts = Accounts(
            rules, from: Accounts.RequestOrigin(userAgent: nil, address: nil), now: 0,
            transactions: IdentityTransactions(database, as: AdminDatabase.identity))
        do {
            let response = try AdminDatabase.describingErrors { try endpoint(accounts) }
            guard !response.body.isEmpty else { return AdminResponse() }
            return try JSONDecoder().decode(AdminResponse.self, from: Data(response.body))
        } catch let error as AuthError {
            throw CommandError(error.message)
        }
    }

    /// The members of a response that commands use.
    struct AdminResponse: Decodable {
        var id: String?
        var hashed_token: String?
    }

    /// The URL of a one-time link. It opens a page that asks before it uses the token; the token is in the fragment,
    /// which never reaches a server log.
    static func link(_ token: String, _ kind: String) -> String { "\(site)/account/#token_hash=\(token)&type=\(kind)" }

    /// The public base URL of the service.
    private static var site: String {
        let environment = Environment.all
        return environment["LECTERN_SITE"] ?? environment["LECTERN_URL"] ?? "http://127.0.0.1:8080"
    }

    private static func database() throws -> Database {
        // Connect once here, where a failure still has a specific message.
        _ = try AdminDatabase.connection()
        return Database(Environment.all["LECTERN_DATABASE_URL"] ?? "")
    }
}
