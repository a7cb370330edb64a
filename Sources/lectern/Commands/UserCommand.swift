import ArgumentParser
import Glibc
import JSON

struct UserCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Manage accounts.",
        discussion: """
            Connects with LECTERN_DATABASE_URL. Passwords are read from the terminal, or from standard input when it \
            is not a terminal. They are never read from arguments, which every user of the machine can see. Every \
            change is recorded in the account's audit log.
            """,
        subcommands: [
            Add.self, List.self, Password.self, Disable.self, Enable.self, Admin.self, Sessions.self, SignOut.self,
            Delete.self,
            Audit.self,
        ])

    /// Selects one account.
    struct Account: ParsableArguments {
        @Argument(help: "E-mail address or id of the account.")
        var user: String

        func find() throws -> AdminAccounts.Account { try AdminAccounts.find(user) }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create an account, whatever SIGNUP says.",
            discussion: "Asks for the password unless --invite is given. The address counts as confirmed.")

        @Argument(help: "E-mail address of the account.")
        var email: String

        @Flag(help: "Make the account an admin, who may manage other accounts through the API.")
        var admin = false

        @Flag(help: "Print a link that works once, within a week; the new user chooses the password there.")
        var invite = false

        @Flag(help: "With --invite: send the link by mail instead of printing it.")
        var mail = false

        func validate() throws {
            if mail && !invite { throw ValidationError("--mail needs --invite.") }
        }

        func run() throws {
            let id = invite ? try sendInvitation() : try createAccount()
            if admin {
                try AdminAccounts.call { try $0.adminUpdate(id, Array(#"{"app_metadata":{"admin":true}}"#.utf8)) }
            }
        }

        private func createAccount() throws -> String {
            let password = JSONText.string(try Terminal.newPassword())
            let body = JSONText.object([("email", JSONText.string(email)), ("password", password)])
            let id = try AdminAccounts.call { try $0.adminCreate(Array(body.utf8)) }.id ?? ""
            print("created the account \(email)")
            return id
        }

        private func sendInvitation() throws -> String {
            let body = JSONText.object([("email", JSONText.string(email)), ("type", JSONText.string("invite"))])
            if mail {
                let id = try AdminAccounts.call { try $0.invite(Array(body.utf8)) }.id ?? ""
                print("the invitation is queued; `lectern mail` shows its state")
                return id
            }
            let answer = try AdminAccounts.call { try $0.generateLink(Array(body.utf8)) }
            print(AdminAccounts.link(answer.hashed_token ?? "", "invite"))
            return answer.id ?? ""
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List all accounts.")

        @Flag(help: "Print JSON.")
        var json = false

        func run() throws {
            try Listing(
                shown: ["email", "state", "links", "sessions", "created_at", "last_sign_in_at"],
                query: """
                    select email, id,
                        concat_ws(', ',
                            case when banned_until > now() then 'disabled'
                                when encrypted_password is null and email_confirmed_at is null then 'invited' else 'active' end,
                            case when app_metadata -> 'admin' = 'true' then 'admin' end) as state,
                        (select count(*) from public.links where links.user_id = users.id) as links,
                        (select count(*) from auth.sessions where sessions.user_id = users.id) as sessions,
                        date_trunc('second', created_at) as created_at, date_trunc('second', last_sign_in_at) as last_sign_in_at
                    from auth.users order by created_at, id
                    """,
                ifEmpty: "There are no accounts yet."
            ).print(json: json)
        }
    }

    struct Password: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "passwd", abstract: "Set an account's password and end all its sessions.")

        @OptionGroup var account: Account

        @Flag(help: "Also revoke all personal API tokens of the account.")
        var revokeTokens = false

        func run() throws {
            let user = try account.find()
            let body = JSONText.object([
                ("password", JSONText.string(try Terminal.newPassword())), ("revoke_tokens", String(revokeTokens)),
            ])
            try AdminAccounts.call { try $0.adminUpdate(user.id, Array(body.utf8)) }
            print("changed the password of \(user.email) and ended all sessions")
            if revokeTokens { print("revoked all API tokens of \(user.email)") }
        }
    }

    struct Disable: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Disable an account: its sign-in, sessions and API tokens are refused.",
            discussion:
                "Its data is kept. An access token issued before stays valid until it expires, one hour by default.")

        @OptionGroup var account: Account

        func run() throws {
            let user = try account.find()
            // A hundred years: the API stores a ban by its end.
            try AdminAccounts.call { try $0.adminUpdate(user.id, Array(#"{"ban_duration":"876000h"}"#.utf8)) }
            print("\(user.email) is disabled")
        }
    }

    struct Enable: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Enable a disabled account.")

        @OptionGroup var account: Account

        func run() throws {
            let user = try account.find()
            try AdminAccounts.call { try $0.adminUpdate(user.id, Array(#"{"ban_duration":"none"}"#.utf8)) }
            print("\(user.email) is enabled")
        }
    }

    struct Admin: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an account an admin, who may manage other accounts through the API.")

        @OptionGroup var account: Account

        @Flag(help: "Remove the admin right instead.")
        var remove = false

        func run() throws {
            let user = try account.find()
            let body = #"{"app_metadata":{"admin":\#(remove ? "null" : "true")}}"#
            try AdminAccounts.call { try $0.adminUpdate(user.id, Array(body.utf8)) }
            print("\(user.email) is \(remove ? "no longer an admin" : "an admin now")")
        }
    }

    struct Sessions: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List the sessions of an account.")

        @OptionGroup var account: Account

        @Flag(help: "Print JSON.")
        var json = false

        func run() throws {
            let user = try account.find()
            try Listing(
                shown: ["last_seen_at", "created_at", "address", "user_agent"],
                query: """
                    select id, date_trunc('second', created_at) as created_at, date_trunc('second', refreshed_at) as last_seen_at,
                        address, user_agent, aal, amr
                    from auth.sessions where user_id = \(user.id)::uuid order by refreshed_at desc, id
                    """,
                ifEmpty: "\(user.email) has no sessions."
            ).print(json: json)
        }
    }

    struct SignOut: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-out", abstract: "End all sessions of an account.",
            discussion: "API tokens are kept; see `lectern token`.")

        @OptionGroup var account: Account

        func run() throws {
            let user = try account.find()
            let ended = try AdminDatabase.run("delete from auth.sessions where user_id = \(user.id)::uuid").affected
            print("ended \(ended) \(ended == 1 ? "session" : "sessions") of \(user.email)")
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete an account and all its data permanently.")

        @OptionGroup var account: Account

        @Flag(help: "Do not ask for confirmation; required without a terminal.")
        var yes = false

        func run() throws {
            let user = try account.find()
            if !yes {
                guard Terminal.isInteractive else {
                    throw CommandError("this deletes everything \(user.email) has saved; confirm with --yes")
                }
                let typed = try Terminal.answer(
                    "This deletes everything \(user.email) has saved. Type the address to confirm: ")
                guard typed == user.email else { throw CommandError("the address does not match; nothing was deleted") }
            }
            try AdminAccounts.call { try $0.adminDelete(user.id, []) }
            print("deleted \(user.email) and all its data")
        }
    }

    struct Audit: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print an account's audit log: what was changed, by whom, from where.")

        @OptionGroup var account: Account

        @Flag(help: "Print JSON.")
        var json = false

        func run() throws {
            let user = try account.find()
            try Listing(
                shown: ["at", "action", "actor", "address", "details"],
                query: """
                    select id, date_trunc('second', at) as at, action, actor, address, user_agent, details
                    from auth.audit_log where user_id = \(user.id)::uuid order by id desc
                    """,
                ifEmpty: "The audit log of \(user.email) is empty."
            ).print(json: json)
        }
    }
}
