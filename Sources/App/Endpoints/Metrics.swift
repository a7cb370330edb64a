import FastCGI
import HTTP
import Telemetry

/// The counters of the worker pool. They lie in the pool's scoreboard, so every worker can report those of all workers.
public struct Metrics: Sendable {
    private let membership: PoolMembership?

    /// Upper bounds of the duration histogram, in milliseconds.
    private static let bounds: [Double] = [1, 2.5, 5, 10, 25, 50, 100, 250, 1_000, 5_000]
    private static let statusClasses = 6
    /// Per route: one counter per status class, one bucket per bound and one beyond the last bound, and the sum of
    /// durations in microseconds.
    private static let countersPerRoute = statusClasses + bounds.count + 2

    /// After the counters of all routes, the refused requests of users and of networks.
    private static let refusalsOfUsers = countersPerRoute * Route.Label.allCases.count
    private static let refusalsOfNetworks = refusalsOfUsers + 1

    /// The number of counters in the scoreboard of a pool that runs this product.
    public static let counters = refusalsOfNetworks + 1

    init(_ membership: PoolMembership?) { self.membership = membership }

    func count(_ route: Route.Label, status: Int, duration: Duration) {
        guard let slot = membership?.slot else { return }
        let base = Self.base(route)
        slot.add(counter: base + min(max(status / 100, 0), Self.statusClasses - 1))
        let milliseconds = duration.milliseconds
        let bucket = Self.bounds.firstIndex { milliseconds <= $0 } ?? Self.bounds.count
        slot.add(counter: base + Self.statusClasses + bucket)
        slot.add(counter: base + Self.countersPerRoute - 1, by: UInt64(max(0, milliseconds * 1_000)))
    }

    /// Counts a request that was refused because its client has too many.
    func countRefusal(of client: RequestClient) {
        switch client {
        case .user: membership?.slot.add(counter: Self.refusalsOfUsers)
        case .network: membership?.slot.add(counter: Self.refusalsOfNetworks)
        case .unlimited: break
        }
    }

    /// The pool's counters in Prometheus' text format.
    func text() -> String {
        guard let board = membership?.scoreboard else { return "" }
        var text = """
            # HELP lectern_requests_total Requests answered.
            # TYPE lectern_requests_total counter

            """
        for route in Route.Label.allCases {
            for status in 1..<Self.statusClasses {
                let count = board.sum(counter: Self.base(route) + status)
                guard count > 0 else { continue }
                text += "lectern_requests_total{route=\"\(route.rawValue)\",status=\"\(status)xx\"} \(count)\n"
            }
        }
        text += """
            # HELP lectern_request_seconds Time to respond, without nginx.
            # TYPE lectern_request_seconds histogram

            """
        for route in Route.Label.allCases { text += histogram(route, board) }
        let slots = board.snapshot().filter { $0.pid > 0 && $0.state != .dead }
        text += """
            # HELP lectern_workers Running worker processes.
            # TYPE lectern_workers gauge
            lectern_workers \(slots.count)
            # HELP lectern_threads Worker threads.
            # TYPE lectern_threads gauge
            lectern_threads \(slots.map(\.threads).reduce(0, +))
            # HELP lectern_busy_threads Worker threads answering a request.
            # TYPE lectern_busy_threads gauge
            lectern_busy_threads \(slots.map(\.busyThreads).reduce(0, +))
            # HELP lectern_waiting_requests Requests that hash a password and wait for their turn.
            # TYPE lectern_waiting_requests gauge
            lectern_waiting_requests \(slots.map(\.waitingRequests).reduce(0, +))
            # HELP lectern_held_requests Requests that wait because their user or network has too many running.
            # TYPE lectern_held_requests gauge
            lectern_held_requests \(slots.map(\.heldRequests).reduce(0, +))
            # HELP lectern_refused_requests_total Requests refused because their user or network has too many.
            # TYPE lectern_refused_requests_total counter
            lectern_refused_requests_total{limit="user"} \(board.sum(counter: Self.refusalsOfUsers))
            lectern_refused_requests_total{limit="network"} \(board.sum(counter: Self.refusalsOfNetworks))
            # HELP lectern_connections Open connections from nginx to the workers.
            # TYPE lectern_connections gauge
            lectern_connections \(slots.map(\.openConnections).reduce(0, +))

            """
        return text
    }

    private func histogram(_ route: Route.Label, _ board: Scoreboard) -> String {
        let base = Self.base(route) + Self.statusClasses
        var text = ""
        var total: UInt64 = 0
        let name = "lectern_request_seconds"
        for (index, bound) in Self.bounds.enumerated() {
            total += board.sum(counter: base + index)
            text += "\(name)_bucket{route=\"\(route.rawValue)\",le=\"\(bound / 1_000)\"} \(total)\n"
        }
        total += board.sum(counter: base + Self.bounds.count)
        guard total > 0 else { return "" }
        let sum = Double(board.sum(counter: Self.base(route) + Self.countersPerRoute - 1)) / 1e6
        return text + """
            \(name)_bucket{route=\"\(route.rawValue)\",le=\"+Inf\"} \(total)
            \(name)_sum{route=\"\(route.rawValue)\"} \(sum)
            \(name)_count{route=\"\(route.rawValue)\"} \(total)

            """
    }

    private static func base(_ route: Route.Label) -> Int {
        (Route.Label.allCases.firstIndex(of: route) ?? 0) * countersPerRoute
    }
}
