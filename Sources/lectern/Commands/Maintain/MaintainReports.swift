import ArgumentParser
import JSON
import Postgres

/// Tasks that only report.
extension MaintainCommand {
    struct Storage: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print how much each user stores.",
            discussion: "Texts and pages count before compression, the trash as stored on disk, pictures as files.")

        @Flag(help: "Print JSON, with all columns of private.storage.")
        var json = false

        func run() throws {
            try Listing(
                shown: [
                    "email", "links", "articles", "texts", "pages", "trash", "exports", "highlights", "notes", "in_all",
                    "pictures", "documents",
                ],
                query: json
                    ? """
                    select storage.*, pictures, picture_bytes
                    from private.storage join private.picture_storage using (id) order by bytes + picture_bytes desc, storage.email
                    """
                    : """
                    select storage.email, links, articles, pg_size_pretty(text_bytes) as texts, pg_size_pretty(page_bytes) as pages,
                        pg_size_pretty(trash_bytes) as trash, pg_size_pretty(export_bytes) as exports, highlights, notes,
                        pg_size_pretty(bytes) as in_all, format('%s (%s)', pictures, pg_size_pretty(picture_bytes)) as pictures,
                        format('%s (%s)', documents, pg_size_pretty(document_bytes)) as documents
                    from private.storage join private.picture_storage using (id) order by bytes + picture_bytes desc, storage.email
                    """,
                ifEmpty: "There are no accounts yet."
            ).print(json: json)
        }
    }

    struct Activity: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print each user's saves, sign-ins, sessions and API tokens.")

        @Flag(help: "Print JSON.")
        var json = false

        func run() throws {
            try Listing(
                shown: [
                    "email", "saved_7_days", "saved_30_days", "last_saved_at", "last_sign_in_at", "last_seen_at",
                    "sessions",
                    "api_tokens",
                ],
                query: """
                    select email, id, saved_7_days, saved_30_days, date_trunc('second', last_saved_at) as last_saved_at,
                        date_trunc('second', last_sign_in_at) as last_sign_in_at,
                        date_trunc('second', last_seen_at) as last_seen_at, sessions, api_tokens,
                        date_trunc('second', token_used_at) as token_used_at
                    from private.activity order by greatest(last_saved_at, last_seen_at) desc nulls last, email
                    """,
                ifEmpty: "There are no accounts yet."
            ).print(json: json)
        }
    }

    struct Queue: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the state of the queues of links, mails, exports and pictures.",
            discussion:
                "due: ready to run now. leases_run_out: leased by a process that has stopped renewing its lease.")

        @Flag(help: "Print JSON.")
        var json = false

        func run() throws {
            try Listing(
                shown: ["kind", "state", "jobs", "due", "oldest", "leases_run_out", "most_attempts", "reason"],
                query: """
                    select kind, state, reason, jobs, due, date_trunc('second', oldest) as oldest, leases_run_out, most_attempts,
                        most_interruptions
                    from private.queue_health order by kind, state, jobs desc, reason
                    """,
                ifEmpty: "The queues are empty."
            ).print(json: json)
        }
    }

    struct Bloat: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print sizes, bloat and unused indexes.",
            discussion: """
                Bloat is an estimate from the statistics of ANALYZE. Run the advised statements yourself in psql. An index that \
                shows no scans may still serve a rare query.
                """)

        @Flag(help: "Print JSON.")
        var json = false

        func run() throws {
            try Listing(
                shown: ["name", "kind", "size", "rows", "dead_rows", "bloat", "scans", "advice"],
                query: json
                    ? "select * from private.bloat order by bytes desc, name"
                    : """
                    select name, kind, pg_size_pretty(bytes) as size, rows, dead_rows, pg_size_pretty(bloat_bytes) as bloat, scans,
                        advice
                    from private.bloat order by bytes desc, name
                    """,
                ifEmpty: "There are no tables."
            ).print(json: json)
        }
    }

    struct Vacuum: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print when tables were vacuumed, and what to run.",
            discussion:
                "Autovacuum does this by itself; advice means that it has fallen behind. Run the statement yourself in psql."
        )

        @Flag(help: "Print JSON.")
        var json = false

        func run() throws {
            try Listing(
                shown: [
                    "name", "rows", "dead_rows", "dead_percent", "last_vacuum", "last_analyze", "xid_age", "advice",
                ],
                query: """
                    select name, rows, dead_rows, dead_percent, date_trunc('second', last_vacuum) as last_vacuum,
                        date_trunc('second', last_analyze) as last_analyze, changed_since, xid_age, advice
                    from private.vacuum_advice order by advice nulls last, dead_rows desc, name
                    """,
                ifEmpty: "There are no tables."
            ).print(json: json)
        }
    }
}
