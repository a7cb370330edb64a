import ArgumentParser
import Postgres

struct MailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail",
        abstract: "Tell what became of the mails to users, and show the links of those that do not arrive.",
        discussion: "Reads LECTERN_DATABASE_URL, the admin's connection.",
        subcommands: [List.self, Retry.self],
        defaultSubcommand: List.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the mails of the last month, the newest first.",
            discussion: """
                Where a mail cannot be sent (there is no LECTERN_SMTP_URL, or the server does not take it), its link is printed \
                for you to pass on another way, as long as it is good. Whoever has it can sign in as its user.
                """)

        @Flag(help: "Print JSON.")
        var json = false

        func run() throws {
            // A mail that was never tried and has no complaint is about to be sent: its link is nobody else's business.
            try Listing(
                shown: ["id", "state", "kind", "recipient", "attempts", "created_at", "reason", "link"],
                query: """
                    select id, state, kind, recipient, attempts, date_trunc('second', created_at) as created_at,
                        date_trunc('second', expires_at) as expires_at, message as reason,
                        case when state <> 'sent' and message is not null and expires_at > now()
                            then substring(body from '(?n)^https?://\\S+#token_hash=\\S+$') end as link
                    from private.mails order by mails.created_at desc, id
                    """,
                ifEmpty: "There are no mails."
            ).print(json: json)
        }
    }

    struct Retry: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Send mails now that failed or wait for another try.",
            discussion: "Those whose link has expired are not sent again; its user has to ask for a new one.")

        @Argument(help: "Ids of mails; without any, all of them.")
        var mails: [String] = []

        func run() throws {
            let rows = try AdminDatabase.run([
                """
                update private.mails set state = 'waiting', run_at = now(), message = null
                where state <> 'sent' and body is not null and expires_at > now()
                    and (\(mails.isEmpty) or id::text = any(\(array: mails)))
                """, "select pg_notify('lectern_mails', '')",
            ])
            print("\(rows[0].affected) to be sent")
        }
    }
}
