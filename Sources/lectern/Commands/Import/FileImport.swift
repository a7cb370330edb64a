import FoundationEssentials
import Glibc
import HTTP
import JSON
import Postgres

/// Sends a file to the jobs process, which reads it, and waits for the result.
struct FileImport {
    let folder: String
    /// Id of the user.
    let owner: String

    private static let maxBytes = 1 << 30
    /// The pause between two queries of the import, in microseconds.
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

    /// Imports a file and waits for the result.
    func run(_ path: String, format: String?) throws -> Result {
        let name = String(path.split(separator: "/").last ?? "")
        guard (1...255).contains(name.unicodeScalars.count) else {
            throw CommandError("the name of the file must have at most 255 characters")
        }
        return try awaitEnd(of: try send(path, name: name, format: format))
    }

    /// Copies the file to the folder of imports and records it. Returns the id of the import.
    private func send(_ path: String, name: String, format: String?) throws -> String {
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
    private func awaitEnd(of id: String) throws -> Result {
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
