import Glibc

/// Writes a time in ISO 8601, UTC, with milliseconds.
enum CommitTimestamp {
    /// - Parameter microseconds: since 1970, not negative.
    static func text(microseconds: Int) -> String {
        var (seconds, parts) = (time_t(microseconds / 1_000_000), tm())
        gmtime_r(&seconds, &parts)
        func two(_ number: Int32) -> String { number < 10 ? "0\(number)" : String(number) }
        // Three digits with leading zeros.
        let milliseconds = String(1_000 + microseconds / 1_000 % 1_000).dropFirst()
        return "\(parts.tm_year + 1_900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
            + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec)).\(milliseconds)Z"
    }
}
