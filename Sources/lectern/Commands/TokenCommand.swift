import ArgumentParser
import Auth

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Look after the personal API tokens: keys of single users for scripts and devices.",
        discussion: "Reads LECTERN_DATABASE_URL, the admin's connection.",
        subcommands: [Add.self, List.self, Revoke.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Make a token and print it; it is shown this once.",
            discussion: """
                read: sees everything of the user, changes nothing. save: adds links, sees no others. full: what the user may \
                do over REST. Use it as `Authorization: Bearer lct_…`; no API key is needed beside it.
                """)

        @Option(help: "Whose token: an address, or an id.")
        var user: String

        @Option(help: "What it is for, so that it can be told from others.")
        var name: String

        @Option(help: "read, save or full.")
        var scope: PersonalToken.Scope

        @Option(help: "Days until it ends; without, it never does.")
        var expires: Int?

        func validate() throws {
            if !(1...100).contains(name.count) { throw ValidationError("--name takes 1 to 100 characters.") }
            if let expires, !(1...36_500).contains(expires) { throw ValidationError("--expires takes days, from 1 to 36500.") }
        }

        func run() throws {
            let owner = try AdminAccounts.find(user)
            let token = PersonalToken()
            _ = try AdminDatabase.run(
                """
                insert into auth.api_tokens (user_id, name, scope, prefix, token_hash, expires_at)
                values (\(owner.id)::uuid, \(name), \(scope.rawValue), \(token.prefix), decode(\(token.hash), 'hex'),
                    now() + \(expires)::int * interval '1 day')
                """)
            Terminal.say("A token of \(owner.email), scope \(scope.rawValue). It is not shown again:\n")
            print(token.text)
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Print the tokens there are, without what they are.")

        @Option(help: "Only those of this user: an address, or an id.")
        var user: String?

        @Flag(help: "Print JSON.")
        var json = false

        func run() throws {
            let owner = try user.map { try AdminAccounts.find($0).id }
            try Listing(
                shown: ["prefix", "user", "name", "scope", "created_at", "expires_at", "last_used_at"],
                query: """
                    select tokens.id, prefix, email as user, name, scope, date_trunc('second', tokens.created_at) as created_at,
                        date_trunc('second', expires_at) as expires_at, date_trunc('second', last_used_at) as last_used_at,
                        last_used_address
                    from auth.api_tokens tokens join auth.users on users.id = tokens.user_id
                    where \(owner)::uuid is null or user_id = \(owner)::uuid
                    order by email, tokens.created_at, tokens.id
                    """,
                ifEmpty: "There are no tokens."
            ).print(json: json)
        }
    }

    struct Revoke: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "End a token at once.")

        @Argument(help: "Its id, or its first characters as `token list` prints them.")
        var token: String

        func run() throws {
            let found = try AdminDatabase.run("select id, name from auth.api_tokens where id::text = lower(\(token)) or prefix = \(token)")
            guard found.count > 0 else { throw CommandError("there is no token \(token)") }
            guard found.count == 1, let id = found.text(0, 0) else {
                throw CommandError("\(found.count) tokens begin like this; give the id, which `lectern token list --json` prints")
            }
            _ = try AdminDatabase.run("delete from auth.api_tokens where id = \(id)::uuid")
            print("revoked")
        }
    }
}

extension PersonalToken.Scope: ExpressibleByArgument {}
