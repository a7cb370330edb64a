import FoundationEssentials
import HTTP
import ImportFormats
import JSON
import Postgres
import REST

/// Answers `/import/v1/files`: takes the body, a file, and records an import of it. The jobs process reads the file.
struct ImportEndpoint {
    /// A request with HEAD asks whether the caller may send a file; nginx does so before it receives one.
    func respond(to request: Request, as transaction: CallerTransaction) throws -> Response {
        guard transaction.caller.userID != nil else { throw ServiceError.signInNeeded }
        guard request.method == "POST" else { return Response(status: 204) }
        let query = try QueryString(request.query)
        let name = try Self.name(query["name"])
        let format = try Self.format(query["format"])
        let isHeld = query["hold"] == "true"
        guard let file = request.bodyFile, file.size > 0 else { throw ServiceError.emptyFile }
        let id = UUID().uuidString.lowercased()
        do {
            try file.keep(as: id)
            _ = try transaction.run([
                "select rest.begin_import(\(id)::uuid, \(name), \(format), \(file.size)::bigint, \(isHeld)::boolean)"
            ])
        } catch {
            // Nothing is lost: the client got no confirmation of the file.
            file.remove(id)
            guard let failure = error as? BodyFile.Failure else { throw error }
            throw failure.isOutOfSpace
                ? ServiceError.diskFull : ServiceError.unforeseen(requestID: request.id)
        }
        return Response(status: 202, json: JSONText.object([("id", JSONText.string(id))]))
    }

    private static let maxName = 255

    /// The last part of a path, without characters that change how text is shown.
    private static func name(_ given: String?) throws(ServiceError) -> String {
        let last = (given ?? "").split { $0 == "/" || $0 == "\\" }.last ?? ""
        let shown = last.unicodeScalars.filter { scalar in
            ![.control, .format, .lineSeparator, .paragraphSeparator].contains(scalar.properties.generalCategory)
        }
        let name = String(String.UnicodeScalarView(shown)).trimmingBlanks
        guard !name.isEmpty, name.unicodeScalars.count <= maxName else { throw .badFileName }
        return name
    }

    private static func format(_ given: String?) throws(ServiceError) -> String? {
        guard let given, !given.isEmpty else { return nil }
        guard ImportFormat(rawValue: given) != nil else { throw .unknownFormat(given) }
        return given
    }
}

extension String {
    fileprivate var trimmingBlanks: String {
        var rest = self[...]
        while rest.first == " " { rest.removeFirst() }
        while rest.last == " " { rest.removeLast() }
        return String(rest)
    }
}
