import Postgres
import TestDatabase
import Testing

@Suite("Postgres / connection", .enabled(if: TestDatabase.isAvailable, "needs the server that deploy/test starts"))
struct ConnectionTests {
    private let database: TestDatabase
    private let ann: String
    private let bob: String

    init() throws {
        database = try TestDatabase()
        ann = try database.makeUser("ann@example.org")
        bob = try database.makeUser("bob@example.org")
    }

    private func identity(_ user: String, timeout: Int = 5_000) -> Identity {
        Identity(role: "authenticated", claims: #"{"sub":"\#(user)"}"#, statementTimeout: timeout)
    }

    private static let whoAmI: SQL =
        "select current_user, coalesce(current_setting('request.jwt.claims', true), ''), current_setting('statement_timeout')"

    @Test("a transaction runs under its identity, which ends with it")
    func identityIsLocal() throws {
        var connection = try Connection(database.conninfo("authenticator"))
        let rows = try connection.transaction(as: identity(ann, timeout: 1_234), [Self.whoAmI])[0]
        #expect(rows.text(0, 0) == "authenticated")
        #expect(rows.text(0, 1) == #"{"sub":"\#(ann)"}"#)
        #expect(rows.text(0, 2) == "1234ms")
        let after = try connection.query(Self.whoAmI)
        #expect(after.text(0, 0) == "authenticator")
        #expect(after.text(0, 1) == "")
    }

    @Test("on one connection two users never see each other's rows, also after failures")
    func interleaved() throws {
        var connection = try Connection(database.conninfo("authenticator"))
        for (user, url) in [(ann, "http://a.test/"), (bob, "http://b.test/")] {
            _ = try connection.transaction(as: identity(user), ["insert into public.links (raw_url) values (\(url))"])
        }
        let mine: SQL = "select raw_url from public.links"
        let failures: [SQL] = [
            "select 1/0", "select no_such_column", "insert into public.links (raw_url) values (null)",
        ]
        for round in 0..<60 {
            let (user, url) = round.isMultiple(of: 2) ? (ann, "http://a.test/") : (bob, "http://b.test/")
            let rows = try connection.transaction(as: identity(user), [mine])[0]
            #expect(rows.count == 1 && rows.text(0, 0) == url)
            #expect(throws: PostgresError.self) {
                _ = try connection.transaction(as: identity(user), [failures[round % failures.count], mine])
            }
            let after = try connection.query(Self.whoAmI)
            #expect(after.text(0, 0) == "authenticator" && after.text(0, 1) == "")
        }
    }

    @Test("rows are read one by one, up to an error, and the connection stays usable")
    func eachRow() throws {
        var connection = try Connection(database.conninfo("authenticator"))
        var numbers: [Int?] = []
        try connection.query("select generate_series(1, \(1_000)::integer)") { row in numbers.append(row.int(0, 0)) }
        #expect(numbers == Array(1...1_000))
        try connection.query("select 1 where false") { _ in numbers = [] }
        #expect(numbers.count == 1_000)
        var seen = 0
        #expect(throws: PostgresError.self) {
            try connection.query("select 1 / (50 - number) from generate_series(1, 100) as number") { _ in seen += 1 }
        }
        #expect(seen == 49)
        #expect(throws: PostgresError.broken(reason: "test")) {
            try connection.query("select generate_series(1, 100)") { _ throws(PostgresError) in
                throw .broken(reason: "test")
            }
        }
        #expect(try connection.query("select 7").int(0, 0) == 7)
    }

    @Test("the statement does not run when its identity is refused")
    func unknownRole() throws {
        var connection = try Connection(database.conninfo("authenticator"))
        #expect(throws: PostgresError.self) {
            _ = try connection.transaction(
                as: Identity(role: "lectern_admin"),
                ["insert into public.links (raw_url, user_id) values ('x', \(ann)::uuid)"])
        }
        var admin = try Connection(database.conninfo("lectern_admin"))
        #expect(try admin.query("select count(*) from public.links").int(0, 0) == 0)
    }

    @Test("the login role itself cannot read any table")
    func failsClosed() throws {
        var connection = try Connection(database.conninfo("authenticator"))
        #expect(throws: PostgresError.self) { _ = try connection.query("select * from public.links") }
        #expect(throws: PostgresError.self) { _ = try connection.query("select * from auth.users") }
        #expect(throws: PostgresError.self) { _ = try connection.query("select * from private.jobs") }
    }

    @Test("when a statement fails, the batch is rolled back and the statements after it do not run")
    func allOrNothing() throws {
        var connection = try Connection(database.conninfo("authenticator"))
        #expect(throws: PostgresError.self) {
            _ = try connection.transaction(
                as: identity(ann), ["insert into public.links (raw_url) values ('http://x.test/')", "select 1/0"])
        }
        #expect(try connection.transaction(as: identity(ann), ["select count(*) from public.links"])[0].int(0, 0) == 0)
    }

    @Test("more statements than the cache holds all work, also the second time")
    func manyShapes() throws {
        var connection = try Connection(database.conninfo("authenticator"))
        for round in 0..<2 {
            for shape in 0..<600 {
                let sql: SQL = "select \(shape)::int as \(name: "c\(shape)")"
                let rows = try connection.transaction(as: identity(ann), [sql])
                #expect(rows[0].int(0, 0) == shape, "round \(round)")
            }
        }
    }

    @Test("a statement that exceeds its timeout is refused, and the connection remains usable")
    func timeout() throws {
        var connection = try Connection(database.conninfo("authenticator"))
        let error = #expect(throws: PostgresError.self) {
            _ = try connection.transaction(as: identity(ann, timeout: 100), ["select pg_sleep(5)"])
        }
        guard case .refused(let refusal) = error else { return #expect(Bool(false), "\(String(describing: error))") }
        #expect(refusal.sqlState == "57014")
        #expect(try connection.transaction(as: identity(ann), ["select 1"])[0].int(0, 0) == 1)
    }

    @Test("a read-only transaction refuses to write")
    func readOnly() throws {
        var connection = try Connection(database.conninfo("authenticator"))
        var reader = identity(ann)
        reader.isReadOnly = true
        #expect(throws: PostgresError.self) {
            _ = try connection.transaction(as: reader, ["insert into public.links (raw_url) values ('http://x.test/')"])
        }
    }

    @Test("a bind with a NUL is refused before anything is sent")
    func nul() throws {
        var connection = try Connection(database.conninfo("authenticator"))
        #expect(throws: PostgresError.nulInText) {
            _ = try connection.transaction(as: identity(ann), ["select \("a\0b")::text"])
        }
        #expect(try connection.transaction(as: identity(ann), ["select 1"])[0].int(0, 0) == 1)
    }

    @Test("large results and large binds are complete")
    func large() throws {
        var connection = try Connection(database.conninfo("authenticator"))
        let text = String(repeating: "läng ", count: 400_000)
        let rows = try connection.transaction(as: identity(ann), ["select \(text)::text, repeat('x', 3000000)"])
        #expect(rows[0].text(0, 0) == text)
        #expect(rows[0].bytes(0, 1)?.count == 3_000_000)
    }

    @Test("connecting without a server throws")
    func noServer() {
        #expect(throws: PostgresError.self) { _ = try Connection("host=/nonexistent user=nobody dbname=none") }
    }
}
