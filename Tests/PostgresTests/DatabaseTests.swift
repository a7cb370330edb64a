import Postgres
import Synchronization
import TestDatabase
import Testing
import Threads

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

    /// The process of the session that a connection belongs to.
    private func session(_ connection: inout Connection) throws(PostgresError) -> Int? {
        try connection.query("select pg_backend_pid()").int(0, 0)
    }

    @Test("work at the same time has connections of its own, and later work the one that was used last")
    func lending() throws {
        let database = Database(server.conninfo("authenticator"))
        var (outer, inner): (Int?, Int?)
        try database.usingConnection { connection throws(PostgresError) in
            outer = try session(&connection)
            inner = try database.usingConnection(session)
        }
        #expect(outer != nil && inner != nil && outer != inner)
        for _ in 0..<3 { #expect(try database.usingConnection(session) == outer) }
    }

    @Test("a connection that has reached the maximum age is replaced", arguments: [Duration.zero, .seconds(3_600)])
    func maxAge(age: Duration) throws {
        let database = Database(server.conninfo("authenticator"), maxAge: age)
        let first = try database.usingConnection(session)
        #expect((try database.usingConnection(session) == first) == (age > .zero))
    }

    @Test("threads that work one after the other share a connection")
    func sharing() throws {
        let database = Database(server.conninfo("authenticator"))
        let first = try database.usingConnection(session)
        let second = Mutex<Int?>(nil)
        let thread = Thread { [self] in
            let pid = try? database.usingConnection(session)
            second.withLock { $0 = pid }
        }
        try #require(thread).join()
        #expect(first != nil && second.withLock { $0 } == first)
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
