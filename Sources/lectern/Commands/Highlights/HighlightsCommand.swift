import ArgumentParser

struct HighlightsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "highlights", abstract: "Add highlights of e-readers to articles.",
        subcommands: [ImportHighlightsCommand.self])
}
