import ArgumentParser
import Auth
import JSON

struct TokenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token",
        abstract: "Manage personal API tokens, with which scripts and devices act for one user.",
        discussion: "Connects with LECTERN_DATABASE_URL.",
        subcommands: [Add.self, List.self, Revoke.self])

    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Create a token and print it; it cannot be shown again.",
            discussion: """
                Scopes: read sees all of the user's data and changes nothing; save adds links and sees no others; full does \
                everything with links and articles, but changes nothing of the account and makes no exports or tokens; feed \
                opens feeds, catalogs and books, and nothing else. Send it as `Authorization: Bearer lct_…`; it needs no API key.
                """)

        @Option(help: "Owner of the token: e-mail address or id.")
        var user: String

        @Option(help: "Name that distinguishes the token from others.")
        var name: String

        @Option(help: "read, save, full or feed.")
        var scope: PersonalToken.Scope

        @Option(help: "Days until the token expires (default: never).")
        var expires: Int?

        func validate() throws {
            if !(1...100).contains(name.count) { throw ValidationError("--name takes 1 to 100 characters.") }
            if let expires, !(1...36_500).contains(expires) {
                throw ValidationError("--expires takes days, from 1 to 36500.")
            }
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
            Terminal.say("Token of \(owner.email) with scope \(scope.rawValue); it cannot be shown again:\n")
            print(token.text)
        }
    }

    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(abstract: "List tokens, without their secrets.")

        @Option(help: "Only tokens of this user: e-mail address or id.")
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
        static let configuration = CommandConfiguration(abstract: "Revoke a token at once.")

        @Argument(help: "Id of the token, or its prefix as printed by `lectern token list`.")
        var token: String

        func run() throws {
            let found = try AdminDatabase.run(
                "select id, name from auth.api_tokens where id::text = lower(\(token)) or prefix = \(token)")
            guard found.count > 0 else { throw CommandError("no token has the id or prefix \(token)") }
            guard found.count == 1, let id = found.text(0, 0) else {
                throw CommandError(
                    "\(found.count) tokens have this prefix; give the id, as printed by `lectern token list --json`")
            }
            _ = try AdminDatabase.run("delete from auth.api_tokens where id = \(id)::uuid")
            print("revoked")
        }
    }
}

extension PersonalToken.Scope: ExpressibleByArgument {}
