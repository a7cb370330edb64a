import ArgumentParser
import JSON
import Postgres

struct MailCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mail",
        abstract: "List the mails to users, with the links of those that could not be sent.",
        discussion: "Connects with LECTERN_DATABASE_URL.",
        subcommands: [List.self, Retry.self],
        defaultSubcommand: List.self)

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "List the mails of the last month, newest first.",
            discussion: """
                The link of a mail that cannot be sent (LECTERN_SMTP_URL is not set, or the mail server refuses it) is printed \
                while it is valid, so that you can pass it on. Anyone who has the link can sign in as its user.
                """)

        @Flag(help: "Print JSON.")
        var json = false

        func run() throws {
            // A mail that was not tried yet is about to be sent, so its link stays private.
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
            abstract: "Retry mails that failed or wait for another attempt now.",
            discussion: "Mails whose link has expired are not sent again; their users must request a new link.")

        @Argument(help: "Ids of mails (default: all).")
        var mails: [String] = []

        func run() throws {
            let rows = try AdminDatabase.run([
                """
                update private.mails set state = 'waiting', run_at = now(), message = null
                where state <> 'sent' and body is not null and expires_at > now()
                    and (\(mails.isEmpty) or id::text = any(\(array: mails)))
                """, "select pg_notify('lectern_mails', '')",
            ])
            print("queued \(rows[0].affected) for sending")
        }
    }
}
