import ArgumentParser
import Glibc

/// The command: services, administration, extraction.
@main
struct Lectern: ParsableCommand {
    /// The version of the release.
    static let version = "0.9.0"

    static let configuration = CommandConfiguration(
        commandName: "lectern",
        abstract: "Lectern, a read-later service you run yourself.",
        version: version,
        subcommands: [
            UserCommand.self, TokenCommand.self, MailCommand.self, ExportCommand.self,
            FCGICommand.self, JobsCommand.self, MigrateCommand.self, MaintainCommand.self, KeysCommand.self, ConfigCommand.self,
            ExtractCommand.self, ResolveCommand.self, URLCommand.self, TextCommand.self,
            ReadPagesCommand.self,
        ]
    )

    /// Runs the command that was called. Help and versions go to standard output; an error is one line on standard
    /// error and exit status 1, or 2 where the words of the call were wrong.
    static func main() {
        do {
            var command = try called()
            try command.run()
        } catch {
            let code = exitCode(for: error)
            if code.isSuccess { exit(withError: error) }
            if code == .validationFailure {
                // The full message has the usage in further lines; `--help` tells it.
                complain("lectern: \(message(for: error))")
                Glibc.exit(2)
            }
            // A command that has said what it had to say ends with a bare code.
            if !(error is ExitCode) { complain("lectern: \(error)") }
            Glibc.exit(code.rawValue)
        }
    }

    /// The command that was called. The tree of all commands takes some milliseconds to build, and two of them start often:
    /// those are asked first. What they do not understand, `--help` too, is the tree's to answer.
    private static func called() throws -> any ParsableCommand {
        let words = Array(CommandLine.arguments.dropFirst())
        let often: [any ParsableCommand.Type] = [ExtractCommand.self, ReadPagesCommand.self]
        for command in often where command.configuration.commandName == words.first {
            if let called = try? command.parseAsRoot(Array(words.dropFirst())) { return called }
        }
        return try parseAsRoot()
    }

    private static func complain(_ text: String) {
        let line = Array((text + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
