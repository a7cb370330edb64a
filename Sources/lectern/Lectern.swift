import ArgumentParser

/// The command: services, administration, extraction.
@main
struct Lectern: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lectern",
        abstract: "Lectern, a read-later service you run yourself.",
        subcommands: [ExtractCommand.self]
    )
}
