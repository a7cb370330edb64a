extension Hub {
    /// The metrics in Prometheus' text format.
    ///
    /// - Parameter outbox: what waits to be sent.
    public func metrics(_ outbox: Outbox) -> String {
        var text = MetricsText()
        text.add("sockets", .gauge, "Open sockets.", socketCount)
        text.add("channels", .gauge, "Joined channels.", channelCount)
        text.add("watching_channels", .gauge, "Channels with entries of postgres_changes.", feed.watchers)
        text.add(
            "live", .gauge, "1 while changes arrive, 0 while no channel wants any or the database is away.", liveness)
        text.add("queued_bytes", .gauge, "Bytes that wait to be sent to all sockets.", outbox.bytes)
        text.add("opened_sockets_total", .counter, "Sockets opened.", counters.opened)
        text.add("messages_total", .counter, "Messages from clients.", counters.messages)
        text.add("joins_total", .counter, "Joins that succeeded.", counters.joins)
        text.add("refused_joins_total", .counter, "Joins that were refused.", counters.refusedJoins)
        text.add("refused_tokens_total", .counter, "Pushed tokens that were refused.", counters.refusedTokens)
        text.add("changes_total", .counter, "Changes read from the log.", counters.changes)
        text.add("events_total", .counter, "Messages about changes sent.", counters.events)
        text.add(
            "dropped_events_total", .counter, "Messages about changes not sent.", by: "reason",
            [("expired_token", counters.expired), ("slow_reader", counters.overflowed)])
        text.add(
            "closed_sockets_total", .counter, "Sockets closed by the server.", by: "reason",
            CloseReason.allCases.map { ($0.rawValue, counters.closed[$0] ?? 0) })
        text.add("lag_seconds", "Time from the write of a row to the sending of a message about it.", counters.lag)
        return text.text
    }

    private var liveness: Int { feed.wanted != nil && feed.isLive ? 1 : 0 }
}

/// Builds metrics in Prometheus' text format.
private struct MetricsText {
    private(set) var text = ""

    enum Kind: String {
        case gauge, counter, histogram
    }

    mutating func add(_ name: String, _ kind: Kind, _ help: String, _ value: Int) {
        head(name, kind, help)
        text += "lectern_realtime_\(name) \(value)\n"
    }

    mutating func add(_ name: String, _ kind: Kind, _ help: String, by label: String, _ values: [(String, Int)]) {
        head(name, kind, help)
        for (value, count) in values { text += "lectern_realtime_\(name){\(label)=\"\(value)\"} \(count)\n" }
    }

    mutating func add(_ name: String, _ help: String, _ histogram: Histogram) {
        head(name, .histogram, help)
        var total = 0
        for (bound, count) in zip(Histogram.bounds, histogram.counts) {
            total += count
            text += "lectern_realtime_\(name)_bucket{le=\"\(Double(bound) / 1e6)\"} \(total)\n"
        }
        total += histogram.counts.last ?? 0
        text += """
            lectern_realtime_\(name)_bucket{le="+Inf"} \(total)
            lectern_realtime_\(name)_sum \(Double(histogram.sum) / 1e6)
            lectern_realtime_\(name)_count \(total)

            """
    }

    private mutating func head(_ name: String, _ kind: Kind, _ help: String) {
        text += "# HELP lectern_realtime_\(name) \(help)\n# TYPE lectern_realtime_\(name) \(kind.rawValue)\n"
    }
}
