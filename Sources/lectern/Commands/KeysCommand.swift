import ArgumentParser
import Auth
import JSON
import Settings

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Print or replace the API keys that clients are configured with.",
        subcommands: [Show.self, Rotate.self],
        defaultSubcommand: Show.self)

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the API keys.",
            discussion: """
                The anon key is public: it identifies the service, not a user. The service key reads and writes every \
                user's rows; keep it secret. Both are derived from LECTERN_JWT_SECRET.
                """)

        @Flag(help: "Print a JSON object.")
        var json = false

        func run() throws {
            let settings = try Settings(environment: Environment.all)
            let keys = JWTKeySet(secret: try settings.required("JWT_SECRET")).apiKeys
            if json {
                print(
                    JSONText.object([
                        ("anon_key", JSONText.string(keys.anon)), ("service_key", JSONText.string(keys.service)),
                    ]))
            } else {
                print("anon key:    \(keys.anon)\nservice key: \(keys.service)")
            }
        }
    }

    struct Rotate: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Replace the secret that signs keys and sessions.",
            discussion: """
                Writes a new secret to the home; deploy/run activates it without losing a request. Keys and sessions of the old \
                secret stay valid for the grace period, so that clients can be given the new anon key and sessions renew \
                themselves. If the secret has leaked, use --grace 0: all users must sign in again.
                """)

        @Option(help: "The home (default: LECTERN_HOME, as in lectern.env, else var).")
        var home: String?

        @Option(help: "Hours for which the old secret stays valid; 0 ends it and all earlier ones at once.")
        var grace = 7 * 24

        func validate() throws {
            if !(0...87_600).contains(grace) { throw ValidationError("--grace takes hours, from 0 to 87600.") }
        }

        func run() throws {
            let home = home ?? Environment.all["LECTERN_HOME"] ?? "var"
            let rotation = try SecretRotation(home: home).rotate(graceHours: grace)
            print(
                """
                Wrote the new secret. Run deploy/run\(home == "var" ? "" : " --home \(home)") to activate it.

                new anon key: \(rotation.keys.anon)

                """)
            if let until = rotation.until {
                print("Old keys and sessions stay valid until \(until). Give clients the new anon key before then.")
            } else {
                print(
                    "Old keys and all sessions are refused from then on. Give clients the new anon key; users must sign in again."
                )
            }
        }
    }
}
