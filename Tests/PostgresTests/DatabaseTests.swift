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

    @Test(
        "a transaction that another one has rolled back is repeated, three attempts in all",
        arguments: ["40P01", "40001"], [2, 3])
    func conflict(sqlState: String, failures: Int) throws {
        var admin = try Connection(server.conninfo("lectern_bootstrap"))
        try admin.script(
            """
            create sequence public.attempts;
            create function public.fail(state text, failures integer) returns bigint language plpgsql
                security definer as $$
                declare attempt constant bigint := nextval('public.attempts');
                begin
                    if attempt <= failures then raise exception 'refused' using errcode = state; end if;
                    return attempt;
                end $$;
            grant execute on function public.fail(text, integer) to anon;
            grant usage on schema public to anon
            """)
        let result = Result { () throws(PostgresError) in
            try Database(server.conninfo("authenticator")).transaction(
                as: identity, ["select public.fail(\(sqlState), \(failures)::int)"])[0].int(0, 0)
        }
        if failures < 3 {
            #expect(try result.get() == 3)
        } else {
            let refusal = PostgresError.Refusal(sqlState: sqlState, message: "refused", reportedBy: "exec_stmt_raise")
            #expect(throws: PostgresError.refused(refusal)) { try result.get() }
        }
        #expect(try admin.query("select last_value from public.attempts").int(0, 0) == 3)
    }

    @Test("the lock of an identity is taken before its statements run, and held until they have ended")
    func lock() throws {
        var locking = identity
        locking.lock = "pg_advisory_xact_lock(7)"
        let database = Database(server.conninfo("authenticator"))
        let held: SQL = "select count(*) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()"
        #expect(try database.transaction(as: locking, [held])[0].int(0, 0) == 1)
        #expect(try database.transaction(as: identity, [held])[0].int(0, 0) == 0)
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
