import Glibc

/// The supervisor's log: lines with the time in UTC on standard output.
struct SupervisorLog: Sendable {
    func callAsFunction(_ text: String) {
        let line = Array("\(Self.timestamp(time(nil))) \(text)\n".utf8)
        _ = write(STDOUT_FILENO, line, line.count)
    }

    /// The time as 2026-11-23T08:00:00Z.
    static func timestamp(_ seconds: time_t) -> String {
        var (seconds, parts) = (seconds, tm())
        gmtime_r(&seconds, &parts)
        var text = [CChar](repeating: 0, count: 32)
        strftime(&text, text.count, "%Y-%m-%dT%H:%M:%SZ", &parts)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
