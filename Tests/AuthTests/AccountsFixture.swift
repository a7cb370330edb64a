import Auth
import Crypto
import Foundation
import HTTP
import Postgres
import TestDatabase
import Testing

/// Accounts on a database of their own, with short calls for tests.
struct AccountsFixture {
    let database: TestDatabase
    var rules: Accounts.Rules
    private let connection: Database
    static let key = JWTKey(secret: secret)
    private static let secret = "0123456789abcdef0123456789abcdef"
    static let now = Int(Date().timeIntervalSince1970)

    init() throws {
        database = try TestDatabase()
        connection = Database(database.conninfo("authenticator"))
        rules = Accounts.Rules(
            keys: JWTKeySet(secret: Self.secret), hasher: PasswordHasher(),
            policy: PasswordPolicy(common: ["letmein123"]),
            publicURL: "http://lectern.test", lifetime: 3_600, signup: .open, isLimited: false)
    }

    /// The same database over another connection.
    init(sharing database: TestDatabase, _ rules: Accounts.Rules) {
        self.database = database
        self.rules = rules
        connection = Database(database.conninfo("authenticator"))
    }

    /// The accounts for a request from an address.
    func accounts(from address: String = "192.0.2.1", agent: String = "tests", now: Int = now) -> Accounts {
        Accounts(
            rules, from: .init(userAgent: agent, address: address), now: now,
            transactions: IdentityTransactions(connection, as: Identity(role: "auth_service")))
    }

    func object(_ response: Response) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(response.body)) as? [String: Any])
    }

    func signUp(_ email: String = "Ann@Example.org", password: String = "secret1") throws -> [String: Any] {
        try object(accounts().signUp(Array(#"{"email":"\#(email)","password":"\#(password)"}"#.utf8)))
    }

    func signIn(
        _ email: String = "ann@example.org", _ password: String = "secret1", from address: String = "192.0.2.1",
        agent: String = "tests"
    ) throws -> [String: Any] {
        let form = #"{"email":"\#(email)","password":"\#(password)"}"#
        return try object(accounts(from: address, agent: agent).signIn(Array(form.utf8)))
    }

    func refresh(_ token: String) throws -> [String: Any] {
        try object(accounts().refresh(Array(#"{"refresh_token":"\#(token)"}"#.utf8)))
    }

    func text(_ object: [String: Any], _ name: String) throws -> String { try #require(object[name] as? String) }

    func caller(_ session: [String: Any]) throws -> Caller {
        try Self.key.verify(try text(session, "access_token"), now: Self.now)
    }

    func admin(_ statement: SQL) throws -> Rows {
        var connection = try Connection(database.conninfo("lectern_admin"))
        return try connection.query(statement)
    }
}
