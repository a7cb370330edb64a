import ArgumentParser
import Auth
import HTTP
import Settings

struct KeysCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys",
        abstract: "Print the API keys that clients are configured with.",
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
