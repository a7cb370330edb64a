import ArgumentParser
import JSON
import Settings

struct ConfigCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Print the settings in force, secrets hidden.",
        discussion: """
            Reads the variables LECTERN_<NAME> of its own environment and the secrets file they name, and nothing else: \
            neither settings.env, which deploy/run reads, nor a running service. The environment of each service is a \
            file in the home; this prints the settings of the jobs process (use fcgi.env for the workers):

              (cd var; set -a; . services/jobs.env; bin/lectern config)
            """)

    @Flag(help: "Print a JSON object.")
    var json = false

    @Flag(help: "Print nothing but errors; exit 0 when all settings are valid, else 1.")
    var check = false

    func run() throws {
        let settings = try Settings(environment: Environment.withSecrets(), rules: JobsCommand.rules)
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
