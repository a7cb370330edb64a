import ArgumentParser
import Export
import Glibc
import Postgres

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write everything a user has into a file.",
        discussion: """
            zip: all rows as JSON, every article as a page, and a list of all links; the file that users get from their \
            account's page. Reads LECTERN_DATABASE_URL, the admin's connection.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable { case zip }

    @Option(help: "Whose: an address, or an id.")
    var user: String

    @Option(help: "zip.")
    var format: Format

    @Option(help: "The file; by default lectern-<address>.zip here.")
    var out: String?

    func run() throws {
        let owner = try AdminAccounts.find(user)
        let path = out ?? "lectern-\(owner.email.replacing("/", with: "_")).zip"
        let isShown = isatty(STDERR_FILENO) == 1
        var shown = -1
        let archive = PersonalArchive(try AdminDatabase.connection(), of: owner.id) { done, total in
            let percent = total > 0 ? done * 100 / total : 0
            guard isShown, percent != shown else { return }
            shown = percent
            Terminal.say("\r\(percent) %")
        }
        do {
            // Beside its place: a rename does not cross file systems.
            let summary = try AdminDatabase.telling {
                // From the first byte on, not only once it is whole.
                umask(0o077)
                return try archive.write(to: path, by: "\(path).\(getpid()).part", mode: 0o600)
            }
            if isShown { Terminal.say("\r") }
            print("\(path): \(summary.rows) rows, \(summary.articles) articles, \(summary.bytes) bytes")
        } catch let failure as FileFailure {
            throw CommandError("\(path): \(failure)")
        }
    }
}
