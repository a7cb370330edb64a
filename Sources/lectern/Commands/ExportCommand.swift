import ArgumentParser
import Export
import Glibc
import JSON
import Postgres

struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Write all data of one user to a file.",
        discussion: """
            Format zip: all rows as JSON, each article as an HTML page, and an index of all links; the same file that users \
            download on their account page. Connects with LECTERN_DATABASE_URL.
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable { case zip }

    @Option(help: "Owner of the data: e-mail address or id.")
    var user: String

    @Option(help: "Format of the file: zip.")
    var format: Format

    @Option(help: "File to write (default: lectern-<address>.zip in the working directory).")
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
            // The temporary file lies beside the final one, because a rename cannot cross file systems.
            let summary = try AdminDatabase.describingErrors {
                // Private from the first byte on.
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
