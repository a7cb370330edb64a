import ArgumentParser
import Auth
import HTTP
import Settings

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Print the API keys that clients are configured with, or replace them.",
        subcommands: [Show.self, Rotate.self],
        defaultSubcommand: Show.self)

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the API keys.",
            discussion: """
                The anon key is public: it says which service, not who. The service key sees every user's rows; keep it \
                to the machine. Both are derived from LECTERN_JWT_SECRET.
                """)

        @Flag(help: "Print a JSON object.")
        var json = false

        func run() throws {
            let settings = try Settings(environment: Environment.all)
            let keys = TokenKeys(secret: try settings.required("JWT_SECRET")).apiKeys
            if json {
                print(JSONText.object([
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
                Writes the home's new secret; deploy/run puts it in force, and no request is lost. Until the grace is over, keys \
                and sessions of the old secret are taken as well, so that clients have time to be given the new anon key and \
                sessions renew themselves. Where the secret is no longer one, use --grace 0: everybody signs in anew.
                """)

        @Option(help: "The home; by default LECTERN_HOME, as lectern.env has it, else var.")
        var home: String?

        @Option(help: "Hours for which the old secret is taken as well; 0: not at all, nor any before it.")
        var grace = 7 * 24

        func validate() throws {
            if !(0...87_600).contains(grace) { throw ValidationError("--grace takes hours, from 0 to 87600.") }
        }

        func run() throws {
            let home = home ?? Environment.all["LECTERN_HOME"] ?? "var"
            let rotation = try SecretRotation(home: home).rotate(graceHours: grace)
            print(
                """
                The new secret is written. Run deploy/run\(home == "var" ? "" : " --home \(home)") to put it in force.

                new anon key: \(rotation.keys.anon)

                """)
            if let until = rotation.until {
                print("The old keys and sessions are taken until \(until). Give clients the new anon key before.")
            } else {
                print("From then on the old keys and all sessions are refused: give clients the new anon key, and sign in anew.")
            }
        }
    }
}
