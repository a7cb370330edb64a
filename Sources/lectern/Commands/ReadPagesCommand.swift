import ArgumentParser
import ReaderProcess

/// The confined reader process. `lectern jobs run` starts it and talks to it over standard input and output.
struct ReadPagesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "read-pages", abstract: "Read pages for `lectern jobs run` in a confined process.",
        shouldDisplay: false)

    @Argument(help: "Limits of memory and time per page.")
    var limits: [String] = []

    func run() throws {
        guard let service = ReaderService(arguments: limits) else {
            throw ValidationError("`lectern jobs run` starts this command; it is not for direct use.")
        }
        try service.run()
    }
}
