import Postgres
import TestDatabase
import Testing

@Suite("Postgres / transactions", .enabled(if: TestDatabase.isAvailable, "needs the server that deploy/test starts"))
struct TransactionRunnerTests {
    @Test("every batch runs under the identity")
    func identity() throws {
        let server = try TestDatabase()
        let runner = IdentityTransactions(Database(server.conninfo("authenticator")), as: Identity(role: "anon"))
        for _ in 1...2 { #expect(try runner.run(["select current_user"])[0].text(0, 0) == "anon") }
    }
}
