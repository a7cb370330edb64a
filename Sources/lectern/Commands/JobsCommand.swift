import ArgumentParser
import HTTP
import Postgres
import Saving
import Settings
import Telemetry

struct JobsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "jobs",
        abstract: "Run the jobs (saved links, mails, exports), or look after the queue of saved links.",
        subcommands: [Run.self, Status.self, Retry.self],
        defaultSubcommand: Status.self)

    /// What settings must be for the jobs to start, beyond what the table of settings says.
    static let rules = SavedLinkJobs.rules.merging(JobsCompanions.rules) { saving, _ in saving }

    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Work on jobs until SIGTERM.",
            discussion: "Reads LECTERN_JOBS_DATABASE and the settings of jobs, fetching and mail; see `lectern config`.")

        func run() throws {
            let settings = try Settings(environment: Environment.all, rules: JobsCommand.rules)
            let log = Log(program: "lectern jobs", level: settings.text("LOG_LEVEL"))
            try SavedLinkJobs(settings, log: log).run(beside: JobsCompanions(settings: settings, log: log).all())
        }
    }

    struct Status: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tell how many jobs wait, run and were given up, and why.",
            discussion: "Reads LECTERN_DATABASE_URL, the admin's connection.")

        @Flag(help: "Print JSON.")
        var json = false

        func run() throws {
            var connection = try AdminDatabase.connection()
            let rows = try connection.query(
                """
                select state, coalesce(reason, ''), count(*), coalesce(max(message), ''),
                    extract(epoch from now() - min(created_at))::bigint
                from private.jobs group by 1, 2 order by 1, 2
                """)
            if json {
                let objects = (0..<rows.count).map { row in
                    JSONText.object([
                        ("state", JSONText.string(rows.text(row, 0))), ("reason", JSONText.string(rows.text(row, 1))),
                        ("count", rows.text(row, 2) ?? "0"), ("message", JSONText.string(rows.text(row, 3))),
                        ("oldest_s", rows.text(row, 4) ?? "0"),
                    ])
                }
                print("[" + objects.joined(separator: ",") + "]")
                return
            }
            guard rows.count > 0 else { return print("The queue is empty.") }
            print(Table.line(["STATE", "JOBS", "OLDEST", "REASON"]))
            for row in 0..<rows.count {
                print(
                    Table.line([
                        rows.text(row, 0) ?? "", rows.text(row, 2) ?? "", "\(rows.text(row, 4) ?? "0") s",
                        [rows.text(row, 1), rows.text(row, 3)].compactMap { $0 }.filter { !$0.isEmpty }
                            .joined(separator: ": "),
                    ]))
            }
        }
    }

    struct Retry: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Put jobs that were given up back into the queue.",
            discussion: "Reads LECTERN_DATABASE_URL, the admin's connection.")

        @Argument(help: "Ids of links; without any, every job that was given up.")
        var links: [String] = []

        @Option(help: "Only those given up for this reason, such as timeout.")
        var reason: String?

        func run() throws {
            var connection = try AdminDatabase.connection()
            // The link's trigger makes the job anew, with all its attempts; the buried one has told its reason.
            let rows = try connection.query(
                """
                with given_up as (
                    delete from private.jobs
                    where state = 'buried'
                        and (\(links.isEmpty) or link_id::text = any(\(array: links)))
                        and (\(reason)::text is null or reason = \(reason))
                    returning link_id
                )
                update public.links set state = 'pending', reason = null, reason_message = null
                where id in (select link_id from given_up)
                """)
            print("\(rows.affected) back in the queue")
        }
    }
}
