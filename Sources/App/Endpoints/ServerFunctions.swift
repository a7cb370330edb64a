import Auth
import FoundationEssentials
import Glibc
import HTTP
import JSON
import Postgres
import QRCodes
import Threads

/// Answers `/functions/v1/<name>`.
///
/// `resolve-url` returns the final URL, the title and the description of a page. The jobs process fetches the page; this
/// endpoint queues the request and waits for the result. `qr-code` draws a text.
struct ServerFunctions {
    let limits: Limits
    /// Limits the threads of this process that wait for a result, so that some always remain for other requests.
    let limiter: CountingSemaphore

    struct Limits: Sendable {
        /// The longest wait for a result. Every unsuccessful response takes this long: the time does not reveal
        /// whether a name resolves to a private address, does not resolve, or belongs to a silent server. Clients are
        /// promised eight seconds, which leaves two for a busy machine.
        var timeout = Duration.seconds(6)
        /// Unanswered requests of one user; 0: no limit.
        var pendingPerUser = 3
        /// Requests of one user per minute; 0: no limit.
        var perUserAndMinute = 30
    }

    /// How long to sleep between two queries of the result.
    private static let pollInterval = Duration.milliseconds(40)

    func respond(to request: Request, _ name: String, as transaction: CallerTransaction) throws -> Response {
        guard ["resolve-url", "qr-code"].contains(name) else { throw ServiceError.unknownFunction(name) }
        guard request.method == "POST" else { throw RouteError.method(.functions, request.method, allowed: ["POST"]) }
        guard transaction.caller.role == .authenticated else { throw ServiceError.signInNeeded }
        if name == "qr-code" { return try Self.qrCode(request.body) }
        return try resolve(try Self.checkedURL(request.body), as: transaction)
    }

    private struct QRCodeArguments: Decodable {
        var text: String
    }

    /// Draws the `text` of the request's body as an SVG image.
    static func qrCode(_ body: [UInt8]) throws(ServiceError) -> Response {
        guard let arguments = try? JSONDecoder().decode(QRCodeArguments.self, from: Data(body)) else {
            throw .badArguments("The body must be {\"text\":\"…\"}")
        }
        guard let code = QRCode(arguments.text) else {
            throw .badArguments("A QR code can hold 1 to 1,663 bytes of text without NUL")
        }
        return Response(
            status: 200, json: JSONText.object([("svg", JSONText.string(code.svg))]),
            headers: ["cache-control": "no-store"])
    }

    private struct ResolveArguments: Decodable {
        var url: String
    }

    /// The `url` of the request's body.
    static func checkedURL(_ body: [UInt8]) throws(ServiceError) -> String {
        guard let arguments = try? JSONDecoder().decode(ResolveArguments.self, from: Data(body)) else {
            throw .badArguments("The body must be {\"url\":\"https://…\"}")
        }
        let url = arguments.url
        let trimmed = url.trimmingPrefix { $0.isWhitespace }.lowercased()
        guard trimmed.hasPrefix("http://") || trimmed.hasPrefix("https://"), url.utf8.count <= 65_536 else {
            throw .badArguments("Only http and https URLs can be resolved")
        }
        return url
    }

    private func resolve(_ url: String, as transaction: CallerTransaction) throws -> Response {
        guard limiter.tryAcquire() else { throw ServiceError.tooManyResolutions }
        defer { limiter.release() }
        let deadline = ContinuousClock.now + limits.timeout
        let queued = try transaction.run([
            """
            select rest.ask_resolution(\(url), \(literal: limits.pendingPerUser), \(literal: limits.perUserAndMinute))
            """
        ])
        guard let id = queued[0].text(0, 0) else { throw ServiceError.tooManyResolutions }
        while case let left = deadline - ContinuousClock.now, left > .zero {
            let rows = try Self.result(of: id, as: transaction.limited(to: left))
            switch rows.flatMap({ $0.count > 0 ? $0.text(0, 0) : nil }) {
            case "resolved": return Self.response(rows?.text(0, 1), rows?.text(0, 2), rows?.text(0, 3))
            case "refused": throw ServiceError.badArguments("This URL cannot be resolved")
            case "unreachable": Self.sleep(until: deadline)
            default: Self.sleep(until: min(deadline, .now + Self.pollInterval))
            }
        }
        return Self.response(url, nil, nil)
    }

    /// The result of a question; nil if the database does not answer within the transaction's time.
    private static func result(of id: String, as transaction: CallerTransaction) throws(PostgresError) -> Rows? {
        do {
            return try transaction.run([
                "select outcome, resolved_url, title, description from rest.resolution(\(id)::uuid)"
            ])[0]
        } catch .refused(let refusal) where refusal.sqlState == "57014" {
            return nil
        }
    }

    private static func response(_ url: String?, _ title: String?, _ description: String?) -> Response {
        Response(
            status: 200,
            json: JSONText.object([
                ("resolved_url", JSONText.string(url)), ("title", JSONText.string(title)),
                ("description", JSONText.string(description)),
            ]), headers: ["cache-control": "no-store"])
    }

    private static func sleep(until deadline: ContinuousClock.Instant) {
        let remaining = deadline - .now
        guard remaining > .zero else { return }
        let (seconds, attoseconds) = remaining.components
        usleep(UInt32(seconds * 1_000_000 + attoseconds / 1_000_000_000_000))
    }
}
