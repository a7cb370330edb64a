import Glibc

/// A log line as JSON, built as bytes and written in one `write`, so that the lines of threads and processes do not
/// mix. All log lines are built here. Those of requests, thousands per second, are built without a dictionary.
struct JSONLine {
    private var bytes: [UInt8] = []

    init(level: String, message: String) {
        bytes.reserveCapacity(512)
        append("{\"time\":\"")
        appendTimestamp()
        append("\",\"level\":\"")
        append(level)
        append("\",\"message\":")
        appendQuoted(message)
    }

    mutating func add(_ name: StaticString, _ value: String) {
        appendName(name)
        appendQuoted(value)
    }

    mutating func add(_ name: StaticString, _ value: Int) {
        appendName(name)
        append(String(value))
    }

    /// Adds milliseconds with three decimals.
    mutating func add(_ name: StaticString, _ duration: Duration) {
        appendName(name)
        let (seconds, attoseconds) = duration.components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        append(String(microseconds / 1_000))
        let thousandths = microseconds % 1_000
        append(thousandths < 10 ? ".00" : thousandths < 100 ? ".0" : ".")
        append(String(thousandths))
    }

    /// Adds a member whose name is not a literal.
    mutating func add(name: String, value: String) {
        append(",")
        appendQuoted(name)
        append(":")
        appendQuoted(value)
    }

    /// Adds a member whose value is JSON text.
    mutating func add(name: String, json: String) {
        append(",")
        appendQuoted(name)
        append(":")
        append(json)
    }

    /// The complete line with its line feed.
    consuming func finished() -> [UInt8] {
        append("}\n")
        return bytes
    }

    /// Writes the line to standard error.
    consuming func write() {
        finished().withUnsafeBytes { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    private mutating func appendName(_ name: StaticString) {
        append(",\"")
        name.withUTF8Buffer { bytes.append(contentsOf: $0) }
        append("\":")
    }

    private mutating func appendQuoted(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
            case 0..<0x20:
                append("\\u00")
                append(byte < 16 ? "0" : "1")
                append(String(byte & 15, radix: 16))
            default: bytes.append(byte)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Appends the current time in ISO 8601, UTC, with milliseconds.
    private mutating func appendTimestamp() {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var parts = tm()
        gmtime_r(&now.tv_sec, &parts)
        let milliseconds = Int32(now.tv_nsec / 1_000_000)
        appendDigits(parts.tm_year + 1_900, 4)
        let fields = [
            ("-", parts.tm_mon + 1), ("-", parts.tm_mday), ("T", parts.tm_hour), (":", parts.tm_min),
            (":", parts.tm_sec),
        ]
        for (separator, number) in fields {
            append(separator)
            appendDigits(number, 2)
        }
        append(".")
        appendDigits(milliseconds, 3)
        append("Z")
    }

    private mutating func appendDigits(_ number: Int32, _ count: Int) {
        var divisor: Int32 = 1
        for _ in 1..<count { divisor *= 10 }
        while divisor > 0 {
            bytes.append(UInt8(ascii: "0") + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
    }
}
