import Auth
import HTTP
import Postgres
import Settings
import Telemetry
import Testing

@testable import App

@Suite("App / transactions of a caller")
struct CallerTransactionTests {
    private func transaction(_ permission: TokenPermission) throws -> CallerTransaction {
        let sql = #filePath.split(separator: "/").dropLast(3).map { "/" + $0 }.joined() + "/sql"
        let settings = try Settings(environment: [
            "LECTERN_DATABASE": "host=/nowhere", "LECTERN_SQL_DIR": sql,
            "LECTERN_JWT_SECRET": String(repeating: "s", count: 32),
        ])
        let log = Log(program: "tests", level: "error")
        let services = try Services(settings, log: log, membership: nil)
        let caller = try Caller(ofPersonalToken: #"{"sub":"ann","token_id":"t","scope":"read"}"#)
        return CallerTransaction(
            caller, Request(method: "POST", path: "/"), permission, services: services,
            database: RetryingDatabase(services.conninfo, schema: services.schema, log: log))
    }

    @Test(
        "the transactions of a token that reads are read-only, whatever the statement",
        arguments: [(TokenPermission.reading, true), (.adding, false), (.everything, false)])
    func readOnly(permission: TokenPermission, isReadOnly: Bool) throws {
        #expect(try transaction(permission).identity.isReadOnly == isReadOnly)
        #expect(try transaction(permission).readOnly.identity.isReadOnly)
    }
}
