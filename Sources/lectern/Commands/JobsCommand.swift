import ArgumentParser
import JSON
import Postgres
import Processes
import Saving
import Schema
import Settings
import Telemetry

struct JobsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs",
        abstract: "Run the jobs (saved links, mails, exports, pictures), or manage the queue of saved links.",
        subcommands: [Run.self, Status.self, List.self, Batches.self, Retry.self, Cancel.self],
        defaultSubcommand: Status.self)

    /// Rules for the settings of the jobs process that the table of settings does not express.
    static let rules = SavedLinkJobs.rules.merging(JobsBackgroundServices.rules) { saving, _ in saving }

    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Run jobs until SIGTERM.",
            discussion: "Reads LECTERN_JOBS_DATABASE and the settings of jobs, fetching and mail; see `lectern config`."
        )

        func run() throws {
            OwnMemory.hide()
            let settings = try Settings(environment: Environment.withSecrets(), rules: JobsCommand.rules)
            let log = Log(program: "lectern jobs", level: settings.text("LOG_LEVEL"))
            let schema = try SchemaVersion(ofFilesIn: settings.text("SQL_DIR"))
            let jobs = try SavedLinkJobs(settings, schema: schema, log: log)
            try jobs.run(beside: JobsBackgroundServices(settings: settings, database: jobs.database, log: log).all())
        }
    }

    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print how many jobs of saved links are pending, running and buried (given up), and why.",
            discussion: "`lectern maintain queue` also shows mails, exports and pictures. " + adminsConnection)

        @Flag(help: "Print JSON.")
        var json = false

        func run() throws {
            try Listing(
                shown: ["kind", "state", "jobs", "oldest", "why"],
                query: """
                    select kind, state, coalesce(reason, '') as reason, count(*) as count,
                        coalesce(max(message), '') as message,
                        extract(epoch from now() - min(created_at))::bigint as oldest_s,
                        count(*) as jobs, date_trunc('second', now() - min(created_at)) as oldest,
                        concat_ws(': ', reason, max(message)) as why
                    from private.jobs group by kind, state, reason order by kind = 'save' desc, kind, state, 4 desc
                    """,
                ifEmpty: "The queue is empty."
            ).print(json: json)
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print jobs, the next ones first.",
            discussion: """
                With --done, print the jobs completed in the last month, the latest first, with the milliseconds \
                of each step. \
                \(adminsConnection)
                """)

        @OptionGroup var choice: Choice
        @Option(help: "Only jobs in this state: pending, running or buried.")
        var state: String?
        @Flag(help: "Print completed jobs.")
        var done = false
        @Option(help: "Number of jobs to print.")
        var limit = 50
        @Flag(help: "Print JSON.")
        var json = false

        func run() throws {
            try (done ? finished() : waiting()).print(json: json)
        }

        private func waiting() throws -> Listing {
            Listing(
                shown: ["id", "kind", "state", "email", "attempts", "next", "link_id", "raw_url", "why"],
                query: """
                    select jobs.*, email, links.raw_url, date_trunc('second', coalesce(leased_until, run_at)) as next,
                        concat_ws(': ', jobs.reason, jobs.message) as why
                    from private.jobs join auth.users on users.id = jobs.user_id
                        left join public.links on links.id = link_id
                    where (\(state)::text is null or jobs.state = \(state)) and \(try choice.condition())
                    order by jobs.state <> 'running', jobs.state <> 'pending', priority, run_at, jobs.id
                    limit \(limit)::int
                    """,
                ifEmpty: "There are no such jobs.")
        }

        private func finished() throws -> Listing {
            Listing(
                shown: ["id", "kind", "email", "attempts", "done", "took", "link_id", "raw_url", "milliseconds"],
                query: """
                    select jobs.*, email, links.raw_url, date_trunc('second', done_at) as done,
                        date_trunc('milliseconds', done_at - started_at) as took,
                        (select string_agg(format('%s %s', key, value), ', ' order by key)
                            from jsonb_each(steps)) as milliseconds
                    from (select *, null::text as reason from private.done_jobs) as jobs
                    join auth.users on users.id = jobs.user_id left join public.links on links.id = link_id
                    where \(try choice.condition())
                    order by done_at desc, jobs.id desc
                    limit \(limit)::int
                    """,
                ifEmpty: "There are no such jobs.")
        }
    }

    struct Batches: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the progress of imports, the latest first.",
            discussion: """
                rate: jobs completed in the last minute. left: the time that the remaining jobs take at that rate. \
                \(adminsConnection)
                """)

        @Flag(help: "Print JSON.")
        var json = false

        func run() throws {
            try Listing(
                shown: [
                    "id", "email", "begun", "jobs", "done", "running", "waiting", "failed", "buried", "rate", "left",
                ],
                query: """
                    select batches.*, email, date_trunc('second', batches.created_at) as begun,
                        done_last_minute as rate,
                        coalesce(
                            (make_interval(secs => seconds_left))::text,
                            case when waiting + running + failed > 0 then '?' else '' end) as "left"
                    from public.batches join auth.users on users.id = user_id
                    order by batches.id desc
                    limit 100
                    """,
                ifEmpty: "There are no imports."
            ).print(json: json)
        }
    }

    struct Retry: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Put buried jobs back into the queue.",
            discussion: "Without a selection, all of them. " + adminsConnection)

        @OptionGroup var choice: Choice

        func run() throws {
            // The trigger on links replaces the buried job of a save with a new one, which has all its attempts.
            let rows = try AdminDatabase.run([
                """
                update public.links set state = 'pending', reason = null, reason_message = null
                where id in (
                    select link_id from private.jobs
                    where state = 'buried' and kind = 'save' and \(try choice.condition()))
                """,
                """
                update private.jobs set state = 'pending', attempts = 0, interruptions = 0, run_at = now()
                where id in (
                    select distinct on (kind, link_id) id from private.jobs
                    where state = 'buried' and kind <> 'save' and \(try choice.condition()) and not exists (
                        select from private.jobs other
                        where (other.kind, other.link_id, other.state) = (jobs.kind, jobs.link_id, 'pending'))
                    order by kind, link_id, id desc)
                """,
                "select pg_notify('lectern_jobs', '')",
            ])
            print("\(rows[0].affected + rows[1].affected) put back into the queue")
        }
    }

    struct Cancel: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Remove waiting jobs from the queue.",
            discussion: """
                The links stay saved, with the reason `cancelled` where they have no article yet, and \
                `lectern jobs retry --reason cancelled` puts them back. Running jobs are not stopped. \
                \(adminsConnection)
                """)

        @OptionGroup var choice: Choice
        @Flag(help: "All waiting jobs.")
        var all = false

        func validate() throws {
            guard all != choice.isNarrowed else {
                throw ValidationError(
                    all
                        ? "--all cannot be combined with a selection of jobs."
                        : "Select the jobs: ids of links, --user, --reason, --kind, --batch or --all.")
            }
        }

        func run() throws {
            var cancelled = 0
            // In steps, so that the locks do not delay the workers.
            while case let step = try cancelSaves(), step > 0 { cancelled += step }
            while case let step = try cancelRechecks(), step > 0 { cancelled += step }
            print("\(cancelled) removed from the queue")
        }

        private static let isWaiting: SQL = "(state = 'pending' or state = 'running' and leased_by is null)"

        private func cancelSaves() throws -> Int {
            try AdminDatabase.run(
                """
                select private.cancel_jobs(array(
                    select id from private.jobs
                    where kind = 'save' and \(Self.isWaiting) and \(try choice.condition())
                    limit 5000))
                """
            ).int(0, 0) ?? 0
        }

        /// Nobody waits for rechecks, and their links do not mention them.
        private func cancelRechecks() throws -> Int {
            try AdminDatabase.run(
                [
                    """
                    delete from private.jobs where id in (
                        select id from private.jobs
                        where kind in ('check', 'refresh') and \(Self.isWaiting) and \(try choice.condition())
                        limit 5000 for update skip locked)
                    """
                ])[0].affected
        }
    }

    /// A selection of rows of `private.jobs` or `private.done_jobs`; the condition calls the table `jobs`.
    struct Choice: ParsableArguments {
        @Argument(help: "Ids of links; without any, the jobs of all links.")
        var links: [String] = []
        @Option(help: "Only jobs with this reason, such as timeout.")
        var reason: String?
        @Option(help: "Only jobs of this kind: save, extract, place, check or refresh.")
        var kind: String?
        @Option(help: "Only jobs of this account: its e-mail address or id.")
        var user: String?
        @Option(help: "Only jobs of this import; see `lectern jobs batches`.")
        var batch: Int?

        var isNarrowed: Bool { !links.isEmpty || [reason, kind, user].contains { $0 != nil } || batch != nil }

        func condition() throws -> SQL {
            let owner = try user.map { try AdminAccounts.find($0).id }
            return """
                (\(links.isEmpty) or jobs.link_id::text = any(\(array: links)))
                    and (\(reason)::text is null or jobs.reason = \(reason))
                    and (\(kind)::text is null or jobs.kind = \(kind))
                    and (\(owner)::uuid is null or jobs.user_id = \(owner)::uuid)
                    and (\(batch)::bigint is null or jobs.batch_id = \(batch)::bigint)
                """
        }
    }

    private static let adminsConnection = "Needs LECTERN_DATABASE_URL, the admin's connection to the database."
}
