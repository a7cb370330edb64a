import Postgres
import Testing

@testable import Jobs

@Suite("Jobs / leased table")
struct LeaseStatementsTests {
    private func table() -> LeaseStatements {
        var table = LeaseStatements("pigeons", key: "id", keyType: "uuid")
        table.interruptions = "interruptions"
        return table
    }

    private let lease = Lease(key: "a", number: 3)

    @Test("a lease names the row and the lease's number, and only a running row is changed")
    func changing() {
        let statement = table().changing(lease, set: "state = 'done', note = \("fed")")
        #expect(
            statement.text == """
                update "private"."pigeons" set state = 'done', note = $1 where "id" = $2::"uuid" \
                and "lease" = $3::int and state = 'running'
                """)
        #expect(statement.binds == ["fed", "a", "3"])
    }

    @Test("a finished row that is not stored is deleted under the same condition")
    func deleting() {
        #expect(
            table().deleting(lease).text
                == #"delete from "private"."pigeons" where "id" = $1::"uuid" and "lease" = $2::int and state = 'running'"#
        )
    }

    @Test("several leases are renewed by one statement, which never shortens a lease")
    func renewing() {
        let statement = table().renewing([lease, Lease(key: "b", number: 1)], seconds: 60)
        #expect(statement.text.contains(#"greatest("pigeons"."leased_until", now() + make_interval(secs => $3::int))"#))
        #expect(statement.binds == [#"{"a","b"}"#, #"{"3","1"}"#, "60"])
        #expect(statement.text.contains(#"for update of "pigeons" skip locked"#))
    }

    @Test("expired leases come before waiting rows, and count as interruptions")
    func leasing() throws {
        let text = table().leasing(2, seconds: 60, returning: "id").text
        let expired = try #require(text.firstRange(of: "leased_until\" < now()"))
        let waiting = try #require(text.firstRange(of: "state = 'pending'"))
        #expect(expired.lowerBound < waiting.lowerBound)
        #expect(text.contains(#""interruptions" = "pigeons"."interruptions" + due.interrupted"#))
        #expect(text.contains("for update skip locked"))
    }

    @Test("where waiting and leased rows have one state, a lease only moves the due time")
    func oneState() {
        var table = table()
        (table.waiting, table.running, table.leasedUntil, table.interruptions) = ("waiting", "waiting", "run_at", nil)
        let text = table.leasing(1, seconds: 60, returning: "id").text
        #expect(!text.contains("union all") && text.contains(#""run_at" = now() + make_interval"#))
        #expect(!table.waitingAgain(after: .seconds(5)).text.contains("state"))
    }

    @Test("an interrupted row gets a longer lease only where the table says so", arguments: [true, false])
    func spread(spreads: Bool) {
        var table = table()
        table.spreadsInterrupted = spreads
        #expect(table.leasing(1, seconds: 60, returning: "id").text.contains("random()") == spreads)
    }

    @Test("tables that one worker serves are asked together for the next due time")
    func next() {
        let text = LeaseStatements.millisecondsToNext(of: [table(), table()], or: ["(select now())"]).text
        #expect(text.split(separator: "union all").count == 5)
    }

    @Test("durations keep their fractions")
    func interval() {
        #expect(LeaseStatements.interval(.milliseconds(1_500)).binds == ["1.5"])
    }
}
