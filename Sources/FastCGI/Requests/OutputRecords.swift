internal import Glibc

/// Writes a response as FCGI_STDOUT records (FastCGI specification 1.0, section 3.3) of the greatest length, followed
/// by the records that end the request.
///
/// libfcgi's stream would cut a response into records of 8 KB, write each with a system call and the end with one more,
/// and wake the web server for each of them. For a list of 32 KB that costs more than making the list.
enum OutputRecords {
    /// The greatest content length of a record that is a multiple of 8, so that only the last record needs padding.
    private static let maxContentLength = 65_528

    /// Returns false when the web server has closed the connection or reads no more.
    static func write(_ head: [UInt8], _ body: [UInt8], requestID: Int32, to connection: Int32) -> Bool {
        var sent = 0
        let total = head.count + body.count
        while sent < total {
            let length = min(total - sent, maxContentLength)
            let fromHead = min(sent, head.count)..<min(sent + length, head.count)
            let fromBody = max(sent - head.count, 0)..<max(sent + length - head.count, 0)
            let header = header(length: length, requestID: requestID)
            sent += length
            let padding = [UInt8](repeating: 0, count: (8 - length % 8) % 8)
            let trailer = sent < total ? padding : padding + end(requestID)
            let pieces = [header[...], head[fromHead], body[fromBody], trailer[...]]
            guard send(pieces, to: connection) else { return false }
        }
        return true
    }

    /// An empty FCGI_STDOUT, which ends the stream, and FCGI_END_REQUEST (type 3) with status 0 and "complete".
    private static func end(_ requestID: Int32) -> [UInt8] {
        let id = [UInt8(truncatingIfNeeded: requestID >> 8), UInt8(truncatingIfNeeded: requestID)]
        return [1, 6] + id + [0, 0, 0, 0] + [1, 3] + id + [0, 8, 0, 0] + [UInt8](repeating: 0, count: 8)
    }

    /// Version 1, type 6 (FCGI_STDOUT), id, length, padding to a multiple of eight, one reserved byte.
    private static func header(length: Int, requestID: Int32) -> [UInt8] {
        [
            1, 6, UInt8(truncatingIfNeeded: requestID >> 8), UInt8(truncatingIfNeeded: requestID),
            UInt8(truncatingIfNeeded: length >> 8), UInt8(truncatingIfNeeded: length), UInt8((8 - length % 8) % 8), 0,
        ]
    }

    /// Sends all pieces, in one system call if the socket accepts that.
    private static func send(_ pieces: [ArraySlice<UInt8>], to connection: Int32) -> Bool {
        var rest = pieces.filter { !$0.isEmpty }
        while !rest.isEmpty {
            var written = withVectors(rest) { vectors in writev(connection, vectors.baseAddress, Int32(vectors.count)) }
            if written < 0, errno == EINTR { continue }
            // A worker ignores SIGPIPE: if the peer is gone or does not read, the call returns an error.
            guard written > 0 else { return false }
            while let first = rest.first, written >= first.count {
                written -= first.count
                rest.removeFirst()
            }
            if written > 0 { rest[0] = rest[0].dropFirst(written) }
        }
        return true
    }

    private static func withVectors<Result>(
        _ pieces: [ArraySlice<UInt8>], _ work: (UnsafeBufferPointer<iovec>) -> Result
    ) -> Result {
        // Nested, because each pointer is valid only inside its own call. There are four pieces at most.
        func gather(_ index: Int, _ vectors: inout [iovec]) -> Result {
            guard index < pieces.count else { return vectors.withUnsafeBufferPointer(work) }
            return pieces[index].withUnsafeBytes { bytes in
                let start = UnsafeMutableRawPointer(mutating: bytes.baseAddress)
                vectors.append(iovec(iov_base: start, iov_len: bytes.count))
                return gather(index + 1, &vectors)
            }
        }
        var vectors: [iovec] = []
        return gather(0, &vectors)
    }
}
