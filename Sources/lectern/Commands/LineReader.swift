/// Standard input, line by line.
struct LineReader {
    private var buffer: [UInt8] = []
    private var start = 0
    private var isAtEnd = false

    /// The next line without its end; nil behind the last.
    mutating func next() throws(StreamError) -> [UInt8]? {
        var searched = start
        while true {
            if let end = buffer[searched...].firstIndex(of: 0x0A) {
                defer { start = end + 1 }
                return Array(buffer[start..<end])
            }
            searched = buffer.count
            if isAtEnd { break }
            if start > 0 {
                buffer.removeSubrange(..<start)
                searched -= start
                start = 0
            }
            isAtEnd = try !StandardStreams.read(into: &buffer)
        }
        guard start < buffer.count else { return nil }
        defer { start = buffer.count }
        return Array(buffer[start...])
    }
}
