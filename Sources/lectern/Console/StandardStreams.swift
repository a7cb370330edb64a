import Glibc

/// A failed read of standard input or write to standard output.
enum StreamError: Error, CustomStringConvertible {
    case unreadable(code: Int32)
    case unwritable(code: Int32)

    var description: String {
        switch self {
        case .unreadable(let code): "cannot read standard input: \(String(cString: strerror(code)))"
        case .unwritable(let code): "cannot write standard output: \(String(cString: strerror(code)))"
        }
    }
}

/// Standard input and output as bytes. Works also when the parent process left them in non-blocking mode.
enum StandardStreams {
    /// Reads standard input to its end.
    ///
    /// - Parameter limit: stops at the first chunk past this number of bytes.
    static func readAll(limit: Int = .max) throws(StreamError) -> [UInt8] {
        var content: [UInt8] = []
        while content.count <= limit, try read(into: &content) {}
        return content
    }

    /// Waits for the next chunk and appends it.
    ///
    /// - Returns: false at the end of the input.
    static func read(into buffer: inout [UInt8]) throws(StreamError) -> Bool {
        // The capacity of a pipe on Linux.
        let (count, code) = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { chunk in
            while true {
                let count = Glibc.read(STDIN_FILENO, chunk.baseAddress, chunk.count)
                if count < 0 && shouldRetry(STDIN_FILENO, POLLIN) { continue }
                if count > 0 { buffer.append(contentsOf: chunk[..<count]) }
                return (count, errno)
            }
        }
        if count < 0 { throw .unreadable(code: code) }
        return count > 0
    }

    static func write(_ content: [UInt8]) throws(StreamError) {
        var start = 0
        while start < content.count {
            let count = content.withUnsafeBytes {
                Glibc.write(STDOUT_FILENO, $0.baseAddress.map { $0 + start }, $0.count - start)
            }
            if count < 0 && shouldRetry(STDOUT_FILENO, POLLOUT) { continue }
            if count < 0 { throw .unwritable(code: errno) }
            start += count
        }
    }

    /// Whether a failed call was interrupted, or failed with EAGAIN and the stream is ready now, after waiting.
    private static func shouldRetry(_ stream: Int32, _ events: Int32) -> Bool {
        if errno == EAGAIN {
            var waiting = pollfd(fd: stream, events: Int16(events), revents: 0)
            return poll(&waiting, 1, -1) >= 0 || errno == EINTR
        }
        return errno == EINTR
    }

    /// Prints one line on standard error; ignores a failure of that.
    static func printError(_ message: String) {
        let line = Array((message + "\n").utf8)
        _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
