import Auth
import FoundationEssentials
import Glibc
import HTTP
import Postgres
import Threads

/// `/functions/v1/<name>`: what the server does for clients besides keeping their rows.
///
/// There is one, `resolve-url`: where does a URL lead, and what is it called? The jobs process fetches; this only asks it
/// and waits.
struct ServerFunctions {
    let limits: Limits
    /// Limits the threads of this process that wait.
    let waiting: CountingSemaphore
    /// Runs statements in the name of the caller.
    let run: ([SQL]) throws(PostgresError) -> [Rows]

    struct Limits: Sendable {
        /// Longest wait for an answer, and the time every answer takes that is no success: a name that leads into our own
        /// network, one that leads nowhere and a site that is silent look alike, in time too.
        var patience = Duration.seconds(7)
        /// Of one user, 0 for no limit: questions without an answer, and questions a minute.
        var waitingOfUser = 3
        var ofUserAMinute = 30
    }

    func answer(_ name: String, _ request: Request, _ caller: Caller) throws -> Response {
        guard name == "resolve-url" else { throw ServiceError.unknownFunction(name) }
        guard request.method == "POST" else { throw RouteError.method(.functions, request.method, allowed: ["POST"]) }
        guard caller.role == .authenticated else { throw ServiceError.signInNeeded }
        guard let question = try? JSONDecoder().decode(Question.self, from: Data(request.body)) else {
            throw ServiceError.badArguments("The body must be {\"url\":\"https://…\"}")
        }
        return try resolve(question.url)
    }

    private struct Question: Decodable {
        var url: String
    }

    private func resolve(_ url: String) throws -> Response {
        let trimmed = url.trimmingPrefix { $0.isWhitespace }.lowercased()
        guard trimmed.hasPrefix("http://") || trimmed.hasPrefix("https://"), url.utf8.count <= 65_536 else {
            throw ServiceError.badArguments("Only http and https URLs can be resolved")
        }
        guard waiting.tryAcquire() else { throw ServiceError.tooManyQuestions }
        defer { waiting.release() }
        let deadline = ContinuousClock.now + limits.patience
        let asked = try run([
            "select rest.ask_resolution(\(url), \(literal: limits.waitingOfUser), \(literal: limits.ofUserAMinute))"
        ])
        guard let question = asked[0].text(0, 0) else { throw ServiceError.tooManyQuestions }
        while ContinuousClock.now < deadline {
            let rows = try run(["select outcome, resolved_url, title, description from rest.resolution(\(question)::uuid)"])[0]
            switch rows.count > 0 ? rows.text(0, 0) : nil {
            case "resolved": return Self.response(rows.text(0, 1), rows.text(0, 2), rows.text(0, 3))
            case "refused": throw ServiceError.badArguments("This URL cannot be resolved")
            case "unreachable": Self.sleep(until: deadline)
            default: Self.sleep(until: min(deadline, .now + .milliseconds(40)))
            }
        }
        return Self.response(url, nil, nil)
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
        let left = deadline - .now
        guard left > .zero else { return }
        usleep(UInt32(left.components.seconds * 1_000_000 + left.components.attoseconds / 1_000_000_000_000))
    }
}
