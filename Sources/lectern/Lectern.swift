import ArgumentParser
import Glibc

/// The command-line program: services, administration, extraction.
@main
struct Lectern: ParsableCommand {
    /// The version of the release.
    static let version = "0.9.0"

    static let configuration = CommandConfiguration(
        commandName: "lectern",
        abstract: "Lectern, a self-hosted read-later service.",
        version: version,
        subcommands: [
            UserCommand.self, TokenCommand.self, MailCommand.self, SaveCommand.self, EPUBCommand.self,
            ExportCommand.self, ImportCommand.self, HighlightsCommand.self,
            SuperviseCommand.self, FCGICommand.self, JobsCommand.self, MigrateCommand.self, MaintainCommand.self,
            BackupCommand.self, RestoreCommand.self, DoctorCommand.self, KeysCommand.self, ConfigCommand.self,
            ExtractCommand.self, ResolveCommand.self, URLCommand.self, TextCommand.self,
            ReadPagesCommand.self,
        ]
    )

    /// Runs the requested command. Help and the version go to standard output. An error is one line on standard error,
    /// with exit status 1, or 2 for wrong usage.
    static func main() {
        do {
            var command = try parseArguments()
            try command.run()
        } catch {
            let code = exitCode(for: error)
            if code.isSuccess { exit(withError: error) }
            if code == .validationFailure {
                // The full message repeats the usage; one line is enough, and `--help` prints the rest.
                printError("lectern: \(oneLine(message(for: error)))")
                Glibc.exit(2)
            }
            // A command that has already printed its error throws a bare exit code.
            if !(error is ExitCode) { printError("lectern: \(error)") }
            Glibc.exit(code.rawValue)
        }
    }

    /// Parses the arguments. Building the tree of all commands takes milliseconds and memory, so it is avoided for
    /// commands that scripts and the jobs process start often, and for the supervisor, which runs all the time. Arguments
    /// they reject, `--help` included, go to the full tree.
    private static func parseArguments() throws -> any ParsableCommand {
        let words = Array(CommandLine.arguments.dropFirst())
        let direct: [any ParsableCommand.Type] = [ExtractCommand.self, ReadPagesCommand.self, SuperviseCommand.self]
        for command in direct where command.configuration.commandName == words.first {
            // A request for help is parsed as another command.
            if let parsed = try? command.parseAsRoot(Array(words.dropFirst())), type(of: parsed) == command {
                return parsed
            }
        }
        return try parseAsRoot()
    }

    /// The parser lists more than five values of an option on a line each.
    static func oneLine(_ message: String) -> String {
        message.replacing(":\n  - ", with: ": ").replacing("\n  - ", with: ", ").replacing("\n", with: " ")
    }

    private static func printError(_ text: String) {
        let line = Array((text + "\n").utf8)
        _ = write(STDERR_FILENO, line, line.count)
    }
}
