import Glibc

/// Reads standard input line by line.
struct LineReader {
    /// A line without its line feed.
    struct Line {
        /// The whole line, or its first `longest` bytes.
        var bytes: [UInt8]
        var isTooLong = false
    }

    /// Largest number of bytes kept of a line; the rest of a longer line is read and dropped.
    let maxBytes: Int
    /// Bytes of all lines returned so far, line feeds included.
    private(set) var consumed = 0

    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    init(maxBytes: Int = .max) { self.maxBytes = maxBytes }

    /// The next line; nil at the end of the input.
    mutating func next() throws(StreamError) -> Line? {
        var searched = start
        while true {
            if let end = firstLineFeed(from: searched) { return line(to: end) }
            if buffer.count - start > maxBytes { return try tooLongLine() }
            searched = buffer.count
            if isAtEnd { break }
            searched -= start
            buffer.removeSubrange(..<start)
            start = 0
            isAtEnd = try !StandardStreams.read(into: &buffer)
        }
        return start < buffer.count ? line(to: buffer.count) : nil
    }

    private mutating func line(to end: Int) -> Line {
        defer {
            consumed += end + 1 - start
            start = min(end + 1, buffer.count)
        }
        guard end - start > maxBytes else { return Line(bytes: Array(buffer[start..<end])) }
        return Line(bytes: Array(buffer[start..<start + maxBytes]), isTooLong: true)
    }

    /// Returns the beginning of an overlong line and skips the rest.
    private mutating func tooLongLine() throws(StreamError) -> Line {
        let line = Line(bytes: Array(buffer[start..<start + maxBytes]), isTooLong: true)
        consumed -= start
        var end: Int?
        repeat {
            consumed += buffer.count
            buffer = []
            isAtEnd = try !StandardStreams.read(into: &buffer)
            end = firstLineFeed(from: 0)
        } while end == nil && !isAtEnd
        start = end.map { $0 + 1 } ?? 0
        consumed += start
        return line
    }

    private func firstLineFeed(from index: Int) -> Int? {
        buffer.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress, index < bytes.count,
                let found = memchr(base + index, 0x0A, bytes.count - index)
            else { return nil }
            return UnsafeRawPointer(found) - base
        }
    }
}
