import ArgumentParser
import HomeServices

struct SuperviseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "supervise",
        abstract: "Start the services of a home and keep them running.",
        discussion: """
            deploy/run starts this. It reads services/table in the home, which deploy/run writes, starts the services \
            in that order, restarts those that end and stops all in the opposite order on SIGTERM. SIGHUP reads the \
            table again and restarts the services that have changed. Events are printed to standard output.
            """)

    @Argument(help: "The home.")
    var home: String?

    @Flag(
        help: """
            Print the version of the supervisor and exit. deploy/run replaces a running supervisor of another version.
            """)
    var code = false

    func validate() throws {
        if !code, home == nil { throw ValidationError("Name the home.") }
    }

    func run() throws {
        guard let home, !code else { return print(ServiceSupervisor.version) }
        do {
            throw ExitCode(try ServiceSupervisor.run(home: home))
        } catch let failure as HomeFailure {
            throw CommandError(failure.description)
        }
    }
}
