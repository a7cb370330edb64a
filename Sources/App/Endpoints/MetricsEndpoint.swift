import HTTP
import Postgres

/// Answers `/metrics` in Prometheus' text format: the counters of the worker pool and the length of the job queue.
///
/// On the workers' own socket there is no web server and so no client address: such requests need no token. All others
/// need the token of the setting METRICS_TOKEN.
struct MetricsEndpoint {
    private let metrics: Metrics
    private let token: String
    private let database: RetryingDatabase

    init(_ services: Services, _ database: RetryingDatabase) {
        metrics = services.metrics
        token = services.metricsToken
        self.database = database
    }

    func respond(to request: Request) throws -> Response {
        guard Self.isAllowed(request, token: token) else { throw ServiceError.forbidden }
        let text = metrics.text() + (try jobs())
        return Response(
            status: 200, headers: ["content-type": "text/plain; version=0.0.4; charset=utf-8"], body: Array(text.utf8))
    }

    static func isAllowed(_ request: Request, token: String) -> Bool {
        request.remoteAddress == nil || !token.isEmpty && request.headers["authorization"] == "Bearer \(token)"
    }

    private func jobs() throws(PostgresError) -> String {
        let identity = Identity(role: "lectern_metrics", applicationName: "lectern metrics")
        let rows = try database.transaction(
            as: identity, ["select state, count(*) from private.jobs group by state order by state"], isRead: true)[0]
        var text = "# HELP lectern_jobs Jobs in the queue.\n# TYPE lectern_jobs gauge\n"
        for row in 0..<rows.count {
            text += "lectern_jobs{state=\"\(rows.text(row, 0) ?? "")\"} \(rows.int(row, 1) ?? 0)\n"
        }
        return text
    }
}
