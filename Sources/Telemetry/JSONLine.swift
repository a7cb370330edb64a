import Glibc

/// One log line as JSON, built as bytes and written in one `write`, so that lines of several threads and processes do
/// not mix. Every line of ours goes through here; the request's own, of which there are thousands a second, without a
/// dictionary in between.
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

    /// Milliseconds with three decimals: more digits would only be noise.
    mutating func add(_ name: StaticString, _ duration: Duration) {
        appendName(name)
        let (seconds, attoseconds) = duration.components
        let microseconds = seconds * 1_000_000 + attoseconds / 1_000_000_000_000
        append(String(microseconds / 1_000))
        let thousandths = microseconds % 1_000
        append(thousandths < 10 ? ".00" : thousandths < 100 ? ".0" : ".")
        append(String(thousandths))
    }

    /// A member whose name is not known beforehand.
    mutating func add(name: String, value: String) {
        append(",")
        appendQuoted(name)
        append(":")
        appendQuoted(value)
    }

    /// A member whose value is JSON already.
    mutating func add(name: String, json: String) {
        append(",")
        appendQuoted(name)
        append(":")
        append(json)
    }

    /// Ends the line and writes it to standard error.
    consuming func write() {
        append("}\n")
        bytes.withUnsafeBytes { _ = Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
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

    /// UTC, milliseconds, ISO 8601.
    private mutating func appendTimestamp() {
        var now = timespec()
        clock_gettime(CLOCK_REALTIME, &now)
        var parts = tm()
        gmtime_r(&now.tv_sec, &parts)
        let milliseconds = Int32(now.tv_nsec / 1_000_000)
        appendDigits(parts.tm_year + 1_900, 4)
        for (mark, number) in [("-", parts.tm_mon + 1), ("-", parts.tm_mday), ("T", parts.tm_hour), (":", parts.tm_min), (":", parts.tm_sec)] {
            append(mark)
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
