import ArgumentParser
import ReaderProcess

/// Not for people: `lectern jobs run` starts it, and talks with it over its standard input and output.
struct ReadPagesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read-pages", abstract: "Read pages for `lectern jobs run`, confined.", shouldDisplay: false)

    @Argument(help: "What a page may take.")
    var limits: [String] = []

    func run() throws {
        guard let service = ReaderService(arguments: limits) else {
            throw ValidationError("This is started by `lectern jobs run`.")
        }
        try service.run()
    }
}
