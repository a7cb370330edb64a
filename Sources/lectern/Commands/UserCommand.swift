import ArgumentParser
import Glibc
import HTTP

struct UserCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "user",
        abstract: "Look after the accounts.",
        discussion: """
            Reads LECTERN_DATABASE_URL, the admin's connection. Passwords are asked for at the terminal, or read from standard \
            input where that is none; never from arguments, which everybody on the machine can see. Every change is in the \
            account's audit log.
            """,
        subcommands: [
            Add.self, List.self, Password.self, Disable.self, Enable.self, Admin.self, Sessions.self, SignOut.self, Delete.self,
            Audit.self,
        ])

    /// Whose account.
    struct Account: ParsableArguments {
        @Argument(help: "Its address, or its id.")
        var user: String

        func find() throws -> AdminAccounts.Named { try AdminAccounts.find(user) }
    }

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an account, whoever may sign up.",
            discussion: "Without --invite its password is asked for. An address is taken as confirmed.")

        @Argument(help: "The address it is known by.")
        var email: String

        @Flag(help: "Make an admin of it: may look after other accounts over the API.")
        var admin = false

        @Flag(help: "Print a link that opens the account once, within a week; its owner then chooses the password.")
        var invite = false

        @Flag(help: "With --invite: send the link by mail in place of printing it.")
        var mail = false

        func validate() throws {
            if mail && !invite { throw ValidationError("--mail goes with --invite.") }
        }

        func run() throws {
            let id = invite ? try invited() : try made()
            if admin {
                try AdminAccounts.call { try $0.adminUpdate(id, Array(#"{"app_metadata":{"admin":true}}"#.utf8)) }
            }
        }

        private func made() throws -> String {
            let password = JSONText.string(try Terminal.newPassword())
            let body = JSONText.object([("email", JSONText.string(email)), ("password", password)])
            let id = try AdminAccounts.call { try $0.adminCreate(Array(body.utf8)) }.id ?? ""
            print("\(email) has an account now")
            return id
        }

        private func invited() throws -> String {
            let body = JSONText.object([("email", JSONText.string(email)), ("type", JSONText.string("invite"))])
            if mail {
                let id = try AdminAccounts.call { try $0.invite(Array(body.utf8)) }.id ?? ""
                print("the invitation is on its way; `lectern mail` tells how it goes")
                return id
            }
            let answer = try AdminAccounts.call { try $0.generateLink(Array(body.utf8)) }
            print(AdminAccounts.link(answer.hashed_token ?? "", "invite"))
            return answer.id ?? ""
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print all accounts.")

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
            commandName: "passwd", abstract: "Give an account another password, and end all its sessions.")

        @OptionGroup var account: Account

        func run() throws {
            let user = try account.find()
            let body = JSONText.object([("password", JSONText.string(try Terminal.newPassword()))])
            try AdminAccounts.call { try $0.adminUpdate(user.id, Array(body.utf8)) }
            print("\(user.email) has another password, and is signed in nowhere")
        }
    }

    struct Disable: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keep an account's owner out: no sign-in, no session, no API token.",
            discussion: "What is saved stays. An access token that is out already is good until it expires, an hour by default.")

        @OptionGroup var account: Account

        func run() throws {
            let user = try account.find()
            // A hundred years: the API knows a ban by its end.
            try AdminAccounts.call { try $0.adminUpdate(user.id, Array(#"{"ban_duration":"876000h"}"#.utf8)) }
            print("\(user.email) is disabled")
        }
    }

    struct Enable: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Let the owner of a disabled account in again.")

        @OptionGroup var account: Account

        func run() throws {
            let user = try account.find()
            try AdminAccounts.call { try $0.adminUpdate(user.id, Array(#"{"ban_duration":"none"}"#.utf8)) }
            print("\(user.email) may sign in")
        }
    }

    struct Admin: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make an admin of an account: it may look after others over the API.")

        @OptionGroup var account: Account

        @Flag(help: "Make it one of everybody again.")
        var remove = false

        func run() throws {
            let user = try account.find()
            let body = #"{"app_metadata":{"admin":\#(remove ? "null" : "true")}}"#
            try AdminAccounts.call { try $0.adminUpdate(user.id, Array(body.utf8)) }
            print("\(user.email) is \(remove ? "no admin" : "an admin")")
        }
    }

    struct Sessions: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print where an account is signed in.")

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
                ifEmpty: "\(user.email) is signed in nowhere."
            ).print(json: json)
        }
    }

    struct SignOut: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "sign-out", abstract: "End all sessions of an account.",
            discussion: "Its API tokens stay; see `lectern token`.")

        @OptionGroup var account: Account

        func run() throws {
            let user = try account.find()
            let ended = try AdminDatabase.run("delete from auth.sessions where user_id = \(user.id)::uuid").affected
            print("\(ended) \(ended == 1 ? "session" : "sessions") of \(user.email) ended")
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Delete an account and everything that belongs to it, for good.")

        @OptionGroup var account: Account

        @Flag(help: "Do not ask; needed where there is no terminal.")
        var yes = false

        func run() throws {
            let user = try account.find()
            if !yes {
                guard Terminal.isThere else { throw CommandError("this deletes everything \(user.email) has saved; say --yes") }
                let typed = try Terminal.answer("This deletes everything \(user.email) has saved. Type the address to go on: ")
                guard typed == user.email else { throw CommandError("nothing was deleted") }
            }
            try AdminAccounts.call { try $0.adminDelete(user.id, []) }
            print("\(user.email) and all that was saved is gone")
        }
    }

    struct Audit: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print what was changed on an account, by whom, from where.")

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
                ifEmpty: "Nothing was changed on the account of \(user.email)."
            ).print(json: json)
        }
    }
}
