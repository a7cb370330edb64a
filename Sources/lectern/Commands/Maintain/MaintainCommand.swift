import ArgumentParser
import JSON
import Postgres
import Readability

struct MaintainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "maintain",
        abstract: "Repair data and report on the state of the database.",
        discussion: """
            Connects with LECTERN_DATABASE_URL. Tasks that change rows work in small transactions while the service runs, \
            print counts before and after, and can be stopped (Ctrl-C) and run again at any time; --dry-run only counts.
            """,
        subcommands: [
            Duplicates.self, Rekey.self, Unmerge.self, DecodeEntities.self, Timestamps.self, ReResolve.self,
            ReExtract.self, Reindex.self,
            CheckLinks.self, Refresh.self,
            Orphans.self, PurgeTrash.self, PurgeMerges.self, SweepPictures.self,
            On.self, Off.self,
            Storage.self, Activity.self, Queue.self, Bloat.self, Vacuum.self,
        ])

    /// Options of every task that changes rows.
    struct Batches: ParsableArguments {
        @Flag(help: "Count what would change, and change nothing.")
        var dryRun = false

        @Flag(help: "Print JSON.")
        var json = false

        /// Runs the tasks and prints the outcome of each.
        func run(_ tasks: [BatchTask]) throws {
            var run = try BatchRun()
            var outcomes: [BatchTask.Outcome] = []
            for task in tasks { outcomes.append(dryRun ? try run.count(task) : try run.apply(task)) }
            if json { return print("[" + outcomes.map(\.json).joined(separator: ",") + "]") }
            let lines = outcomes.filter { $0.before > 0 }.map {
                [$0.what, "\($0.before)", "\($0.changed)", "\($0.after)"]
            }
            guard !lines.isEmpty else { return print("There is nothing to do.") }
            for line in Table.lines([["WHAT", "BEFORE", "CHANGED", "AFTER"]] + lines) { print(line) }
            if dryRun { print("Nothing was changed.") }
        }
    }

    /// Restricts a task to one account; without it, all accounts.
    struct Owner: ParsableArguments {
        @Option(help: "Only rows of this account: e-mail address or id.")
        var user: String?

        /// The argument of a task's SQL function.
        func argument() throws -> (name: String, value: SQL) {
            let id = try user.map { try AdminAccounts.find($0).id }
            return ("account", "\(id)::uuid")
        }
    }

    /// How links are put back into the queue.
    struct Requeuing: ParsableArguments {
        @Option(help: "Links queued per transaction (1 to 1000).")
        var batch = 10

        @Option(help: "Queue at most this many links (default: all).")
        var limit: Int?

        @Option(help: "Links per minute (1 to 60000). Newly saved links are fetched first.")
        var rate = 60

        func validate() throws {
            if !(1...1_000).contains(batch) { throw ValidationError("--batch takes 1 to 1000 links.") }
            if let limit, limit < 1 { throw ValidationError("--limit takes a number above 0.") }
            if !(1...60_000).contains(rate) { throw ValidationError("--rate takes 1 to 60000 links a minute.") }
        }

        var argument: (name: String, value: SQL) { ("spacing", "interval '1 minute' / \(rate)::int") }
    }

    /// Rows changed per transaction by tasks that do not touch the queue.
    private static let rows = 2_000

    struct Duplicates: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Merge links that point to the same page.",
            discussion: """
                Finds links without a dedupe key, and links that resolve to a page that is saved too. The older link stays and \
                takes over the tags, notes and highlights of the other. Each merge is recorded and can be undone with unmerge.
                """)

        @OptionGroup var batches: Batches
        @OptionGroup var owner: Owner

        func run() throws {
            try batches.run([
                BatchTask(name: "duplicates", what: "links", batchSize: rows, arguments: [try owner.argument()])
            ])
        }
    }

    struct Rekey: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Recompute dedupe keys by the current rules.",
            discussion: """
                Run it after the list of tracking parameters or the rules of the key have changed. Links whose keys become equal \
                are merged; unmerge undoes that.
                """)

        @OptionGroup var batches: Batches
        @OptionGroup var owner: Owner

        func run() throws {
            try batches.run([BatchTask(name: "rekey", what: "keys", batchSize: rows, arguments: [try owner.argument()])]
            )
        }
    }

    struct DecodeEntities: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "decode-entities",
            abstract: "Decode HTML entities in titles and descriptions of imported or old rows.",
            discussion: """
                Decodes each value once and marks it as plain text, so that a second run changes nothing. Covers the titles and \
                descriptions of links and the metadata of articles.
                """)

        @OptionGroup var batches: Batches
        @OptionGroup var owner: Owner

        func run() throws {
            try batches.run([
                BatchTask(name: "decode_entities", what: "links", batchSize: rows, arguments: [try owner.argument()])
            ])
        }
    }

    struct Timestamps: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Repair impossible timestamps.",
            discussion: """
                updated_at becomes created_at when it is earlier, and now when it is in the future. created_at before 1990 or in \
                the future becomes updated_at when that is valid, else now. Client actions and reading progress dated in the \
                future, which would block later ones, are repaired too. Up to a minute ahead counts as a device's clock error.
                """)

        @OptionGroup var batches: Batches
        @OptionGroup var owner: Owner

        func run() throws {
            let account = try owner.argument()
            let tables = try AdminDatabase.run("select name from private.dated_tables order by name")
            try batches.run(
                (0..<tables.count).map { row in
                    let table = tables.text(row, 0) ?? ""
                    return BatchTask(
                        name: "timestamps", what: table, batchSize: rows,
                        arguments: [("of_table", .bind(table)), account])
                })
        }
    }

    struct ReResolve: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Resolve links again.",
            discussion: """
                Clears the resolved URL and queues the link. Its title, tags, notes and highlights stay, and the article stays \
                until a new one replaces it.
                """)

        enum State: String, ExpressibleByArgument, CaseIterable {
            case failed, ready, all

            var names: [String] { self == .all ? ["failed", "ready"] : [rawValue] }
        }

        @OptionGroup var batches: Batches
        @OptionGroup var owner: Owner

        @Option(help: "Only links in this state: failed, ready or all.")
        var state = State.failed

        @Option(help: "Only links saved more than this many days ago.")
        var olderThan: Int?

        @OptionGroup var requeuing: Requeuing

        func validate() throws {
            try checkAge(olderThan ?? 0)
        }

        func run() throws {
            var task = BatchTask(name: "re_resolve", what: "links", batchSize: requeuing.batch, limit: requeuing.limit)
            task.arguments = [
                try owner.argument(), ("states", "\(array: state.names)::text[]"),
                ("saved_before", "coalesce(now() - make_interval(days => \(olderThan)::int), 'infinity')"),
                requeuing.argument,
            ]
            try batches.run([task])
        }
    }

    struct ReExtract: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Extract missing and outdated articles again.",
            discussion: """
                An article is outdated when an older version of the extractor made it. The stored page is read again, without \
                the network and after all other jobs; a link without a stored page is fetched. A worse result never replaces an \
                article, and highlights move to their passages in the new one. Pages that clients sent and that are not yet \
                extracted are read too.
                """)

        @OptionGroup var batches: Batches
        @OptionGroup var owner: Owner

        @Flag(help: "Include pages in which no article was found.")
        var evenWithout = false

        @OptionGroup var requeuing: Requeuing

        func run() throws {
            var task = BatchTask(
                name: "re_extract", what: "articles", batchSize: requeuing.batch, limit: requeuing.limit)
            task.arguments = [
                try owner.argument(), ("newest", "\(PageReader.version)::int"),
                ("even_without", "\(evenWithout)::boolean"),
                requeuing.argument,
            ]
            try batches.run([task])
        }
    }

    struct CheckLinks: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check-links",
            abstract: "Check whether saved pages still exist.",
            discussion: """
                Requests each page without loading its body and does not change the link. Pages that are gone are listed in the \
                relation broken_links until they are back. A page whose first fetch failed and that exists now is fetched. The \
                jobs process does the same every LECTERN_CHECK_DAYS days.
                """)

        @OptionGroup var batches: Batches
        @OptionGroup var owner: Owner
        @OptionGroup var age: Age
        @OptionGroup var requeuing: Requeuing

        func run() throws { try batches.run([try pageCheck("check", owner, age, requeuing)]) }
    }

    struct Refresh: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Fetch pages that may have changed.",
            discussion: """
                Uses conditional requests, so unchanged pages are not sent again. A worse result never replaces an article, \
                highlights move to their passages in the new one, and a page that is gone leaves its article alone. The jobs \
                process does the same every LECTERN_REFRESH_DAYS days.
                """)

        @OptionGroup var batches: Batches
        @OptionGroup var owner: Owner
        @OptionGroup var age: Age
        @OptionGroup var requeuing: Requeuing

        func run() throws { try batches.run([try pageCheck("refresh", owner, age, requeuing)]) }
    }

    /// How long ago a page was last checked.
    struct Age: ParsableArguments {
        @Option(help: "Only pages not checked for this many days.")
        var olderThan = 0

        func validate() throws { try checkAge(olderThan) }
    }

    private static func checkAge(_ olderThan: Int) throws {
        if !(0...36_500).contains(olderThan) { throw ValidationError("--older-than takes days, from 0 to 36500.") }
    }

    private static func pageCheck(
        _ kind: String, _ owner: Owner, _ age: Age, _ requeuing: Requeuing
    ) throws -> BatchTask {
        var task = BatchTask(name: "recheck", what: "links", batchSize: requeuing.batch, limit: requeuing.limit)
        task.arguments = [
            try owner.argument(), ("kind", .bind(kind)),
            ("checked_before", "now() - make_interval(days => \(age.olderThan)::int)"),
            requeuing.argument,
        ]
        return task
    }

    struct Orphans: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete orphaned rows; enqueue links that have no job.",
            discussion: """
                Deletes rows whose foreign key points to a missing row, which happens after a partial restore or with triggers \
                disabled; mailed links that have expired; and API tokens that expired a month ago. This is permanent: look at \
                --dry-run first. Pending links without a job are queued.
                """)

        @OptionGroup var batches: Batches

        func run() throws {
            let kinds = try AdminDatabase.run("select kind from private.orphan_kinds order by kind")
            try batches.run(
                (0..<kinds.count).map { row in
                    let kind = kinds.text(row, 0) ?? ""
                    return BatchTask(
                        name: "orphans", what: kind, batchSize: rows, arguments: [("of_kind", .bind(kind))])
                })
        }
    }

    struct PurgeTrash: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Empty the trash of links deleted long ago.",
            discussion: "This is permanent. Links that users remove from the trash themselves are deleted at once.")

        @OptionGroup var batches: Batches
        @OptionGroup var owner: Owner

        @Option(help: "Purge links deleted more than this many days ago.")
        var days = 30

        func validate() throws { try checkDays(days) }

        func run() throws { try batches.run([purge("public.trash", "deleted links", days, try owner.argument())]) }
    }

    struct PurgeMerges: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete the records of old merges, which can then no longer be undone.",
            discussion: "The links and their tags, notes and highlights do not change.")

        @OptionGroup var batches: Batches
        @OptionGroup var owner: Owner

        @Option(help: "Purge records of merges older than this many days.")
        var days = 90

        func validate() throws { try checkDays(days) }

        func run() throws { try batches.run([purge("public.link_merges", "merges", days, try owner.argument())]) }
    }

    private static func checkDays(_ days: Int) throws {
        if !(0...36_500).contains(days) { throw ValidationError("--days takes 0 to 36500 days.") }
    }

    private static func purge(
        _ table: String, _ what: String, _ days: Int, _ account: (name: String, value: SQL)
    ) -> BatchTask {
        BatchTask(
            name: "purge", what: what, batchSize: rows,
            arguments: [("of_table", .bind(table)), ("days", "\(days)::int"), account])
    }
}

extension BatchTask.Outcome {
    fileprivate var json: String {
        JSONText.object([
            ("what", JSONText.string(what)), ("before", "\(before)"), ("changed", "\(changed)"), ("after", "\(after)"),
        ])
    }
}
