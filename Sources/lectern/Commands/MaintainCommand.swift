import ArgumentParser
import HTTP
import Postgres
import Readability

struct MaintainCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "maintain",
        abstract: "Mend what is wrong in the database, and look at how it is.",
        discussion: """
            Reads LECTERN_DATABASE_URL, the admin's connection. What changes rows does so in small transactions while the service \
            runs, counts before and after, and can be stopped (Ctrl-C) and run again at any time; --dry-run only counts.
            """,
        subcommands: [
            Duplicates.self, Rekey.self, Unmerge.self, DecodeEntities.self, Timestamps.self, ReResolve.self, ReExtract.self,
            CheckLinks.self, Refresh.self,
            Orphans.self, PurgeTrash.self, PurgeMerges.self, SweepPictures.self,
            Storage.self, Activity.self, Queue.self, Bloat.self, Vacuum.self,
        ])

    /// What all tasks that change rows take.
    struct Batches: ParsableArguments {
        @Flag(help: "Tell how much there is to do, and change nothing.")
        var dryRun = false

        @Flag(help: "Print JSON.")
        var json = false

        /// Works the tasks off and prints what became of each.
        func run(_ tasks: [BatchTask]) throws {
            var run = try BatchRun()
            var outcomes: [BatchTask.Outcome] = []
            for task in tasks { outcomes.append(dryRun ? try run.count(task) : try run.mend(task)) }
            if json { return print("[" + outcomes.map(\.json).joined(separator: ",") + "]") }
            let lines = outcomes.filter { $0.before > 0 }.map { [$0.what, "\($0.before)", "\($0.changed)", "\($0.after)"] }
            guard !lines.isEmpty else { return print("There is nothing to do.") }
            for line in Table.lines([["WHAT", "BEFORE", "CHANGED", "AFTER"]] + lines) { print(line) }
            if dryRun { print("Nothing was changed.") }
        }
    }

    /// Whose rows; all users' where nobody is named.
    struct Owner: ParsableArguments {
        @Option(help: "Only rows of this account: an address, or an id.")
        var user: String?

        /// As an argument of a task's function.
        func argument() throws -> (name: String, value: SQL) {
            let id = try user.map { try AdminAccounts.find($0).id }
            return ("account", "\(id)::uuid")
        }
    }

    /// How links are put back into the queue.
    struct Requeuing: ParsableArguments {
        @Option(help: "Links put back in one transaction.")
        var batch = 10

        @Option(help: "Most links that are put back; without, all there are.")
        var limit: Int?

        @Option(help: "Links a minute; they wait behind each other, and what is saved meanwhile goes first.")
        var rate = 60

        func validate() throws {
            if !(1...1_000).contains(batch) { throw ValidationError("--batch takes 1 to 1000 links.") }
            if let limit, limit < 1 { throw ValidationError("--limit takes a number above 0.") }
            if !(1...60_000).contains(rate) { throw ValidationError("--rate takes 1 to 60000 links a minute.") }
        }

        var argument: (name: String, value: SQL) { ("spacing", "interval '1 minute' / \(rate)::int") }
    }

    /// Rows that one transaction changes where they are changed by themselves.
    private static let rows = 2_000

    struct Duplicates: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Merge links that are one page.",
            discussion: """
                Links saved before there were keys, and links that lead to a page that was saved as well. The older one stays and \
                gets what hung on the other; each merge is kept and can be undone (unmerge).
                """)

        @OptionGroup var batches: Batches
        @OptionGroup var owner: Owner

        func run() throws {
            try batches.run([BatchTask(name: "duplicates", what: "links", most: rows, arguments: [try owner.argument()])])
        }
    }

    struct Rekey: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Bring keys to the present rules.",
            discussion: """
                After the list of tracking parameters or the rules of the key have changed. Links that have one key by that are \
                merged, which can be undone (unmerge).
                """)

        @OptionGroup var batches: Batches
        @OptionGroup var owner: Owner

        func run() throws {
            try batches.run([BatchTask(name: "rekey", what: "keys", most: rows, arguments: [try owner.argument()])])
        }
    }

    struct DecodeEntities: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "decode-entities",
            abstract: "Decode HTML entities in old titles and descriptions.",
            discussion: """
                Once, where the value is not known to be text; it is known afterwards, so that a second run changes nothing. \
                Titles and descriptions of links, and what articles say of themselves.
                """)

        @OptionGroup var batches: Batches
        @OptionGroup var owner: Owner

        func run() throws {
            try batches.run([BatchTask(name: "decode_entities", what: "links", most: rows, arguments: [try owner.argument()])])
        }
    }

    struct Timestamps: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Repair time stamps that cannot be.",
            discussion: """
                updated_at becomes created_at where it is earlier, and now where it is in the future; created_at before 1990 or in \
                the future becomes updated_at where that is sound, else now. Also of the actions and reading progress whose time \
                stamps keep later ones out. A minute of the future is taken for the clock of a device.
                """)

        @OptionGroup var batches: Batches
        @OptionGroup var owner: Owner

        func run() throws {
            let account = try owner.argument()
            let tables = try AdminDatabase.run("select name from private.dated_tables order by name")
            try batches.run((0..<tables.count).map { row in
                let table = tables.text(row, 0) ?? ""
                return BatchTask(
                    name: "timestamps", what: table, most: rows, arguments: [("of_table", .bind(table)), account])
            })
        }
    }

    struct ReResolve: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Have links resolved anew.",
            discussion: """
                Where a link leads is forgotten and found out anew by its job; title, tags and all that its user wrote stays, and \
                so does the article until there is a new one.
                """)

        enum State: String, ExpressibleByArgument, CaseIterable {
            case failed, ready, all

            var names: [String] { self == .all ? ["failed", "ready"] : [rawValue] }
        }

        @OptionGroup var batches: Batches
        @OptionGroup var owner: Owner

        @Option(help: "Links in this state: failed, ready or all.")
        var state = State.failed

        @Option(help: "Only links saved more than so many days ago.")
        var olderThan: Int?

        @OptionGroup var requeuing: Requeuing

        func validate() throws {
            try checkAge(olderThan ?? 0)
        }

        func run() throws {
            var task = BatchTask(name: "re_resolve", what: "links", most: requeuing.batch, limit: requeuing.limit)
            task.arguments = [
                try owner.argument(), ("states", "\(array: state.names)::text[]"),
                ("saved_before", "coalesce(now() - make_interval(days => \(olderThan)::int), 'infinity')"), requeuing.argument,
            ]
            try batches.run([task])
        }
    }

    struct ReExtract: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Have missing and outdated articles made anew.",
            discussion: """
                Outdated is what an older extractor made. The page is read again as it was kept, without the network and behind all \
                other jobs; where none was kept it is fetched. An article is replaced by a new one and by nothing worse, and \
                highlights move along. Also reads pages that clients sent and that nothing has read yet.
                """)

        @OptionGroup var batches: Batches
        @OptionGroup var owner: Owner

        @Flag(help: "Also pages in which no article was found.")
        var evenWithout = false

        @OptionGroup var requeuing: Requeuing

        func run() throws {
            var task = BatchTask(name: "re_extract", what: "articles", most: requeuing.batch, limit: requeuing.limit)
            task.arguments = [
                try owner.argument(), ("newest", "\(PageReader.version)::int"), ("even_without", "\(evenWithout)::boolean"),
                requeuing.argument,
            ]
            try batches.run([task])
        }
    }

    struct CheckLinks: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check-links",
            abstract: "Have pages looked for that may be gone.",
            discussion: """
                Nothing of the page is loaded and nothing of the link is changed; what is gone is in the relation broken_links, until \
                it is back. A page that could not be had when its link was saved, and is there, is fetched. By itself every \
                LECTERN_CHECK_DAYS days.
                """)

        @OptionGroup var batches: Batches
        @OptionGroup var owner: Owner
        @OptionGroup var age: Age
        @OptionGroup var requeuing: Requeuing

        func run() throws { try batches.run([try revisit("check", owner, age, requeuing)]) }
    }

    struct Refresh: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Have pages read again that may have changed.",
            discussion: """
                Where the site can tell that a page has not changed, it is not sent again. An article is replaced by a new one and by \
                nothing worse, and highlights move along; a page that is gone takes nothing away. By itself every \
                LECTERN_REFRESH_DAYS days.
                """)

        @OptionGroup var batches: Batches
        @OptionGroup var owner: Owner
        @OptionGroup var age: Age
        @OptionGroup var requeuing: Requeuing

        func run() throws { try batches.run([try revisit("refresh", owner, age, requeuing)]) }
    }

    /// How long ago a page was looked at.
    struct Age: ParsableArguments {
        @Option(help: "Only pages not looked at for so many days.")
        var olderThan = 0

        func validate() throws { try checkAge(olderThan) }
    }

    private static func checkAge(_ olderThan: Int) throws {
        if !(0...36_500).contains(olderThan) { throw ValidationError("--older-than takes days, from 0 to 36500.") }
    }

    private static func revisit(_ kind: String, _ owner: Owner, _ age: Age, _ requeuing: Requeuing) throws -> BatchTask {
        var task = BatchTask(name: "revisit", what: "links", most: requeuing.batch, limit: requeuing.limit)
        task.arguments = [
            try owner.argument(), ("kind", .bind(kind)), ("visited_before", "now() - make_interval(days => \(age.olderThan)::int)"),
            requeuing.argument,
        ]
        return task
    }

    struct Orphans: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete orphaned rows; enqueue links that have no job.",
            discussion: """
                Rows whose foreign key points nowhere, which happens when a backup is loaded in parts or triggers were switched \
                off; mailed links that have expired, API tokens that did so a month ago. They are deleted for good: look at \
                --dry-run first. Links that wait without a job get one.
                """)

        @OptionGroup var batches: Batches

        func run() throws {
            let kinds = try AdminDatabase.run("select kind from private.orphan_kinds order by kind")
            try batches.run((0..<kinds.count).map { row in
                let kind = kinds.text(row, 0) ?? ""
                return BatchTask(name: "orphans", what: kind, most: rows, arguments: [("of_kind", .bind(kind))])
            })
        }
    }

    struct PurgeTrash: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Empty the trash of what was deleted long ago.",
            discussion: "For good. What its owner deletes from the trash is gone at once and needs no purge.")

        @OptionGroup var batches: Batches
        @OptionGroup var owner: Owner

        @Option(help: "What was deleted more than so many days ago.")
        var days = 30

        func validate() throws { try purgeable(days) }

        func run() throws { try batches.run([purge("public.trash", "deleted links", days, try owner.argument())]) }
    }

    struct PurgeMerges: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forget merges of long ago, which nobody can undo then.",
            discussion: "The links and all that hangs on them stay as they are.")

        @OptionGroup var batches: Batches
        @OptionGroup var owner: Owner

        @Option(help: "What was merged more than so many days ago.")
        var days = 90

        func validate() throws { try purgeable(days) }

        func run() throws { try batches.run([purge("public.link_merges", "merges", days, try owner.argument())]) }
    }

    private static func purgeable(_ days: Int) throws {
        if !(0...36_500).contains(days) { throw ValidationError("--days takes 0 to 36500 days.") }
    }

    private static func purge(_ table: String, _ what: String, _ days: Int, _ account: (name: String, value: SQL)) -> BatchTask {
        BatchTask(
            name: "purge", what: what, most: rows,
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
