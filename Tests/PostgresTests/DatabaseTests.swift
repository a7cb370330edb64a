import Postgres
import TestDatabase
import Testing

@Suite("Postgres / database", .enabled(if: TestDatabase.isAvailable, "needs the server that deploy/test starts"))
struct DatabaseTests {
    private let server: TestDatabase
    private let identity = Identity(role: "anon")

    init() throws { server = try TestDatabase() }

    @Test("a connection that the server closed while it was idle is replaced without an error")
    func closedWhileIdle() throws {
        let database = Database(server.conninfo("authenticator"))
        let pid = try database.transaction(as: identity, ["select pg_backend_pid()"])[0].int(0, 0) ?? 0
        var admin = try Connection(server.conninfo("lectern_bootstrap"))
        _ = try admin.query("select pg_terminate_backend(\(pid)::int, 60000)")
        #expect(try database.transaction(as: identity, ["select 1"])[0].int(0, 0) == 1)
    }

    @Test(
        "a connection that has carried megabytes is replaced, because it keeps buffers of that size",
        arguments: [
            ("select repeat('x', 1000000)", true), ("select repeat('x', 5000000)", false),
            ("select length(\(String(repeating: "x", count: 5_000_000)))", false),
        ] as [(SQL, Bool)])
    func largeBuffers(statement: SQL, isKept: Bool) throws {
        let database = Database(server.conninfo("authenticator"))
        func pid() throws -> Int? { try database.transaction(as: identity, ["select pg_backend_pid()"])[0].int(0, 0) }
        let first = try pid()
        _ = try database.transaction(as: identity, [statement])
        #expect((try pid() == first) == isKept)
    }

    @Test("a connection whose preparation throws is not used")
    func preparation() {
        let database = Database(server.conninfo("authenticator")) { _ throws(PostgresError) in
            throw .unavailable(reason: "wrong schema")
        }
        #expect(throws: PostgresError.unavailable(reason: "wrong schema")) {
            try database.transaction(as: identity, ["select 1"])
        }
    }
}
