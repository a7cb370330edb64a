import Jobs
import Postgres
import TestDatabase
import Testing

@testable import Saving

/// How highlights are placed in the text of a job.
@Suite(
    "Saving / placing highlights", .enabled(if: TestDatabase.isAvailable, "deploy/test starts the server these need"))
struct HighlightPlacingTests: SaveLinkSuite {
    let fixture: SaveLinkFixture

    init() throws { fixture = try SaveLinkFixture() }

    private func mark(_ quote: String, copies: Int = 1) throws {
        _ = try sql(
            """
            insert into public.highlights (user_id, link_id, quote)
            select \(user)::uuid, \(link)::uuid, \(quote) from generate_series(1, \(copies)::int)
            """)
    }

    @Test("a small text is searched at once, even while the turns of large texts are all taken")
    func small() throws {
        try mark("slowly and aloud")
        LinkStore.turns.forEach { $0.acquire() }
        defer { LinkStore.turns.forEach { $0.release() } }
        #expect(work(on: try take()) { saved throws(SaveError) in Self.page(saved) } == .leaseEnded)
        let placed: SQL = "select start_offset is not null, orphaned_at from public.highlights"
        #expect(try rows(placed, columns: 2) == [["t", nil]])
    }

    @Test("highlights beyond the length that is searched stay as they are")
    func beyond() throws {
        try mark(String(repeating: "not in the text ", count: 1_250), copies: 103)
        #expect(work(on: try take()) { saved throws(SaveError) in Self.page(saved) } == .leaseEnded)
        #expect(try rows("select count(*) from public.highlights where orphaned_at is null") == [["3"]])
    }
}
