import ArgumentParser
import ImportFormats
import FoundationEssentials
import Glibc
import HTTP
import JSON
import Postgres
import Settings

struct ImportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "import",
        abstract: "Import a file for a user, as the API does.",
        discussion: """
            A file that another service has exported, or a list of addresses, becomes links; a PDF, EPUB, HTML, Markdown or \
            text file becomes a link with its article. The jobs process reads the file; the command waits until it has, \
            but not for the pages of the links. What was not imported is listed with the reason. A second import of the \
            same file imports nothing. Connects with LECTERN_DATABASE_URL, and finds the folder of imports by \
            LECTERN_HOME; run it as the user who runs deploy/run.
            """)

    @Option(help: "Owner of the links: e-mail address or id.")
    var user: String

    @Option(help: "Format of the file (default: told by its content): \(ImportFormat.names).")
    var format: String?

    @Flag(
        help: "Print JSON: id, format, rows, imported, duplicate, rejected, and the rejects with row, url and reason.")
    var json = false

    @Argument(help: ArgumentHelp("File to import, at most 1 GB.", valueName: "FILE"))
    var file: String

    func validate() throws {
        if let format, ImportFormat(rawValue: format) == nil {
            throw ValidationError("--format takes one of \(ImportFormat.names).")
        }
    }

    func run() throws {
        let owner = try AdminAccounts.find(user)
        let name = String(file.split(separator: "/").last ?? "")
        guard (1...255).contains(name.unicodeScalars.count) else {
            throw CommandError("the name of the file must have at most 255 characters")
        }
        let importing = FileImport(folder: try Self.folder(), owner: owner.id)
        let id = try importing.send(file, name: name, format: format)
        let result = try importing.awaitEnd(of: id)
        guard result.state != "failed" else { throw CommandError(result.reason ?? "the import has failed") }
        print(json ? result.json : result.text)
    }

    private static func folder() throws -> String {
        let environment = Environment.all
        guard
            let folder = environment["LECTERN_IMPORTS_DIR"] ?? environment["LECTERN_HOME"].map({ $0 + "/imports" })
        else { throw CommandError("the folder of imports is unknown; load LECTERN_HOME from lectern.env") }
        return folder
    }
}

/// Sends a file to the jobs process, which reads it, and waits for the result.
private struct FileImport {
    let folder: String
    /// Id of the user.
    let owner: String

    private static let maxBytes = 1 << 30
    /// Between two looks at the import, in microseconds.
    private static let pause: UInt32 = 200_000

    struct Result {
        var id: String
        var state: String
        var format: String?
        var reason: String?
        var imported: Int
        var duplicate: Int
        var rejected: Int
        var rejects: [(row: Int, url: String?, reason: String)] = []

        var rows: Int { imported + duplicate + rejected }

        var json: String {
            let rejects = rejects.map { reject in
                JSONText.object([
                    ("row", String(reject.row)), ("url", JSONText.string(reject.url)),
                    ("reason", JSONText.string(reject.reason)),
                ])
            }
            return JSONText.object([
                ("id", JSONText.string(id)), ("format", JSONText.string(format)), ("rows", String(rows)),
                ("imported", String(imported)), ("duplicate", String(duplicate)), ("rejected", String(rejected)),
                ("rejects", "[\(rejects.joined(separator: ", "))]"),
            ])
        }

        var text: String {
            let noun = rows == 1 ? "row" : "rows"
            let counts = "\(rows) \(noun): \(imported) imported, \(duplicate) duplicate, \(rejected) rejected"
            let reasons = rejects.map { reject in
                "row \(reject.row)\(reject.url.map { " (\(Listing.plain($0)))" } ?? ""): \(reject.reason)"
            }
            return ([counts] + reasons).joined(separator: "\n")
        }
    }

    /// Copies the file to the folder of imports and records it. Returns the id of the import.
    func send(_ path: String, name: String, format: String?) throws -> String {
        let id = UUID().uuidString.lowercased()
        do {
            let copy = try BodyFile(at: "\(folder)/.upload-\(id)")
            try copyBytes(of: path, to: copy)
            guard copy.size > 0 else { throw CommandError("\(path): the file is empty") }
            try copy.keep(as: id)
            do {
                try record(id, name, format, bytes: copy.size)
            } catch {
                copy.remove(id)
                throw error
            }
        } catch let failure as BodyFile.Failure {
            throw CommandError("\(folder): \(failure)")
        }
        return id
    }

    private func copyBytes(of path: String, to copy: BodyFile) throws {
        let source = open(path, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw CommandError("cannot read \(path): \(String(cString: strerror(errno)))") }
        defer { close(source) }
        var status = stat()
        fstat(source, &status)
        var bar = ProgressBar("copied", total: Int(status.st_size))
        defer { bar.clear() }
        var (piece, copied) = ([UInt8](repeating: 0, count: 1 << 18), 0)
        while true {
            let count = read(source, &piece, piece.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw CommandError("cannot read \(path): \(String(cString: strerror(errno)))") }
            if count == 0 { return }
            copied += count
            guard copied <= Self.maxBytes else { throw CommandError("\(path): a file has at most 1 GB") }
            try piece.withUnsafeBytes { try copy.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            bar.show(copied)
        }
    }

    private func record(_ id: String, _ name: String, _ format: String?, bytes: Int) throws {
        let claims = JSONText.object([
            ("sub", JSONText.string(owner)), ("role", JSONText.string("authenticated")),
        ])
        let identity = Identity(
            role: "authenticated", claims: claims, statementTimeout: 60_000, applicationName: "lectern")
        var connection = try AdminDatabase.connection()
        _ = try AdminDatabase.describingErrors {
            try connection.transaction(
                as: identity, ["select rest.begin_import(\(id)::uuid, \(name), \(format), \(bytes)::bigint)"])
        }
    }

    /// Waits until the file is read, failed or cancelled.
    func awaitEnd(of id: String) throws -> Result {
        var bar: (total: Int, ProgressBar)?
        defer { bar?.1.clear() }
        while true {
            let rows = try AdminDatabase.run(
                """
                select state, format, reason, imported, duplicate, rejected, entries, rows
                from public.imports where id = \(id)::uuid
                """)
            guard rows.count == 1, let state = rows.text(0, 0) else { throw CommandError("the import is gone") }
            if state != "reading" {
                var result = Result(
                    id: id, state: state, format: rows.text(0, 1), reason: rows.text(0, 2),
                    imported: rows.int(0, 3) ?? 0, duplicate: rows.int(0, 4) ?? 0, rejected: rows.int(0, 5) ?? 0)
                result.rejects = try rejects(of: id)
                return result
            }
            // The number of entries grows while the file is read, and the bar begins again.
            if let total = rows.int(0, 6), total > 0 {
                if bar?.total != total { bar = (total, ProgressBar("imported", total: total)) }
                bar?.1.show(rows.int(0, 7) ?? 0)
            }
            usleep(Self.pause)
        }
    }

    private func rejects(of id: String) throws -> [(row: Int, url: String?, reason: String)] {
        let rows = try AdminDatabase.run(
            "select row, url, reason from public.import_rejects where import_id = \(id)::uuid order by row")
        return (0..<rows.count).map { (rows.int($0, 0) ?? 0, rows.text($0, 1), rows.text($0, 2) ?? "") }
    }
}
