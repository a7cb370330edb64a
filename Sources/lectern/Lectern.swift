import ArgumentParser

/// The command: services, administration, extraction.
@main
struct Lectern: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lectern",
        abstract: "Lectern, a read-later service you run yourself.",
        version: "0.1.0",
        subcommands: [
            FCGICommand.self, JobsCommand.self, MigrateCommand.self, KeysCommand.self, ConfigCommand.self,
            ExtractCommand.self, ResolveCommand.self,
        ]
    )
}
