import Glibc

/// A standard stream that cannot be read or written.
enum StreamError: Error, CustomStringConvertible {
    case unreadable(code: Int32)
    case unwritable(code: Int32)

    var description: String {
        switch self {
        case .unreadable(let code): "standard input cannot be read: \(String(cString: strerror(code)))"
        case .unwritable(let code): "standard output cannot be written: \(String(cString: strerror(code)))"
        }
    }
}

/// Standard input and output as bytes. Both may have been left in non-blocking mode by whoever started us.
enum StandardStreams {
    /// All there is to read.
    ///
    /// - Parameter most: bytes after which reading ends, at the next chunk.
    static func readAll(most: Int = .max) throws(StreamError) -> [UInt8] {
        var content: [UInt8] = []
        while content.count <= most, try read(into: &content) {}
        return content
    }

    /// Appends what there is to read, waiting for it; false at the end.
    static func read(into buffer: inout [UInt8]) throws(StreamError) -> Bool {
        // What a pipe holds.
        let (count, code) = withUnsafeTemporaryAllocation(byteCount: 1 << 16, alignment: 16) { chunk in
            while true {
                let count = Glibc.read(STDIN_FILENO, chunk.baseAddress, chunk.count)
                if count < 0 && isWorthAnotherTry(STDIN_FILENO, POLLIN) { continue }
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
            if count < 0 && isWorthAnotherTry(STDOUT_FILENO, POLLOUT) { continue }
            if count < 0 { throw .unwritable(code: errno) }
            start += count
        }
    }

    /// After a call that failed: whether it was interrupted, or there is now what it did not find, having been waited for.
    private static func isWorthAnotherTry(_ stream: Int32, _ events: Int32) -> Bool {
        if errno == EAGAIN {
            var waiting = pollfd(fd: stream, events: Int16(events), revents: 0)
            return poll(&waiting, 1, -1) >= 0 || errno == EINTR
        }
        return errno == EINTR
    }

    /// One line on standard error; when even that fails there is nobody left to tell.
    static func complain(_ message: String) {
        let line = Array((message + "\n").utf8)
        _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
