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

/// Standard input and output as bytes.
enum StandardStreams {
    static func readAll() throws(StreamError) -> [UInt8] {
        var content: [UInt8] = []
        while try read(into: &content) {}
        return content
    }

    /// Appends what there is to read; false at the end.
    static func read(into buffer: inout [UInt8]) throws(StreamError) -> Bool {
        let chunk = 1 << 18
        let start = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: chunk))
        var count: Int
        repeat {
            count = buffer.withUnsafeMutableBytes { Glibc.read(STDIN_FILENO, $0.baseAddress.map { $0 + start }, chunk) }
        } while count < 0 && errno == EINTR
        let code = errno
        buffer.removeLast(chunk - max(count, 0))
        if count < 0 { throw .unreadable(code: code) }
        return count > 0
    }

    static func write(_ content: [UInt8]) throws(StreamError) {
        var start = 0
        while start < content.count {
            let count = content.withUnsafeBytes {
                Glibc.write(STDOUT_FILENO, $0.baseAddress.map { $0 + start }, $0.count - start)
            }
            if count < 0 && errno == EINTR { continue }
            if count < 0 { throw .unwritable(code: errno) }
            start += count
        }
    }

    /// One line on standard error; when even that fails there is nobody left to tell.
    static func complain(_ message: String) {
        let line = Array((message + "\n").utf8)
        _ = line.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
