import ArgumentParser
import HTTP
import Settings

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print the settings that a service started from here would have, secrets hidden.",
        discussion: """
            Reads LECTERN_<NAME> in its own environment and nothing else: not settings.env, which deploy/run reads, and \
            not a running service. What deploy/run has given to the services lies in the home, so this prints what is in \
            force for the jobs, and with fcgi.env for the workers:

              (set -a; . var/services/jobs.env; lectern config)
            """)

    @Flag(help: "Print a JSON object.")
    var json = false

    @Flag(help: "Say nothing; exit with 0 when the settings are good, else with 1 and what is wrong.")
    var check = false

    func run() throws {
        let settings = try Settings(environment: Environment.all, rules: JobsCommand.rules)
        if check { return }
        if json {
            print(JSONText.object(settings.shown.map { ("LECTERN_\($0.name)", JSONText.string($0.value)) }))
            return
        }
        for setting in settings.shown {
            print("# \(setting.help)\(setting.isDefault ? " (default)" : "")")
            print("LECTERN_\(setting.name)=\(setting.value)\n")
        }
    }
}
