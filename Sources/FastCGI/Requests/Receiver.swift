internal import CFastCGI
internal import Glibc
internal import Processes
internal import HTTP

/// One thread's use of libfcgi. Reads requests one after the other, each from a given connection.
///
/// libfcgi is designed to accept connections itself and to keep each for the thread that accepted it. Its public
/// request structure allows another use (2.4.2, fcgiapp.c): with `ipcFd` set, FCGX_Accept_r skips accepting and reads.
/// When it reads something that is not a request, it closes the connection and tries to accept another, which fails at
/// once on a `listen_sock` of -1. FCGX_Free leaves `ipcFd` open on request. libfcgi's part ends with the last byte of
/// the request: `OutputRecords` writes the response, so any holder of the `Reply` can send it.
final class Receiver {
    private let fcgi: UnsafeMutablePointer<FCGX_Request>
    /// Holds the head of a request while it is checked, and later the bytes that are read and discarded.
    private let scratch: UnsafeMutableRawBufferPointer
    private let options: WorkerOptions
    /// Reading stopped before the end of the request, so the start of the next one on this connection is unknown.
    private var isOutOfSync = false

    init(options: WorkerOptions) {
        self.options = options
        scratch = .allocate(byteCount: RecordValidator.limit, alignment: 16)
        fcgi = .allocate(capacity: 1)
        fcgi.initialize(to: FCGX_Request())
        FCGX_InitRequest(fcgi, -1, 0)
    }

    deinit {
        fcgi.deallocate()
        scratch.deallocate()
    }

    /// Reads one request from a readable connection. Returns nil, with the connection closed, when there is nothing to
    /// answer: the peer closed the connection or sent something that is not a request.
    func receive(from connection: Int32) -> ReceivedRequest? {
        isOutOfSync = false
        guard accept(awaitHead(on: connection), on: connection),
            let input = fcgi.pointee.`in`, let parameters = fcgi.pointee.envp
        else { return nil }
        InputGuard.install(on: input)
        let head = Parameters(list: parameters)
            .head(idParameter: options.requestIDParameter, fieldLimit: options.fieldLimit)
        guard let (request, rejection) = readBody(after: head, from: input) else { return nil }
        return ReceivedRequest(request: request, rejection: rejection, reply: releaseRequest())
    }

    /// Frees libfcgi's data about the request, which was read to its end.
    private func releaseRequest() -> Reply {
        let reply = Reply(
            connection: fcgi.pointee.ipcFd, requestID: fcgi.pointee.requestId,
            mayKeep: fcgi.pointee.keepConnection != 0 && !isOutOfSync)
        FCGX_Free(fcgi, 0)
        fcgi.pointee.ipcFd = -1
        return reply
    }

    // MARK: - Head

    private enum Head {
        /// The peer closed the connection or sent something that libfcgi must not see.
        case none
        /// Complete, and still unread in the connection.
        case waiting
        /// Complete, and moved to the first bytes of the scratch buffer.
        case taken(Int)
    }

    /// Waits for the head of a request. Nearly always it is there at once and is only peeked at. A head that comes in
    /// pieces is read piece by piece, because a unix socket holds only a few small ones.
    private func awaitHead(on connection: Int32) -> Head {
        let deadline = MonotonicClock.now + .seconds(options.ioTimeoutSeconds)
        var taken = 0
        while true {
            let count = peek(at: connection, after: taken)
            guard count > 0 else { return .none }
            switch RecordValidator.verdict(on: UnsafeRawBufferPointer(rebasing: scratch[..<(taken + count)])) {
            case .invalid:
                return .none
            case .complete(let length):
                if taken == 0 { return .waiting }
                return take(length - taken, from: connection, after: taken) ? .taken(length) : .none
            case .incomplete:
                // All of it belongs to the head, because the head is not complete.
                guard MonotonicClock.now < deadline, take(count, from: connection, after: taken) else { return .none }
                taken += count
            }
        }
    }

    /// Copies the bytes that have arrived to the scratch buffer after `taken` bytes. Leaves them in the connection.
    private func peek(at connection: Int32, after taken: Int) -> Int {
        while true {
            // The buffer has an address: it was allocated with RecordValidator.limit bytes.
            let count = recv(connection, scratch.baseAddress! + taken, scratch.count - taken, Int32(MSG_PEEK))
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// Reads `count` bytes that have arrived.
    private func take(_ count: Int, from connection: Int32, after taken: Int) -> Bool {
        // Has an address, as in `peek`.
        recv(connection, scratch.baseAddress! + taken, count, Int32(MSG_WAITALL)) == count
    }

    /// Lets libfcgi read the head. Returns false, with the connection closed, when there is no request.
    private func accept(_ head: Head, on connection: Int32) -> Bool {
        switch head {
        case .none:
            close(connection)
            return false
        case .waiting:
            return accept(from: connection)
        case .taken(let count):
            guard let relay = relay(count), accept(from: relay) else {
                close(connection)
                return false
            }
            // libfcgi has read exactly to the end of the head. It continues on the connection.
            close(relay)
            fcgi.pointee.ipcFd = connection
            return true
        }
    }

    private func accept(from descriptor: Int32) -> Bool {
        fcgi.pointee.ipcFd = descriptor
        fcgi.pointee.keepConnection = 1
        closeWithoutLingering()
        return FCGX_Accept_r(fcgi) == 0
    }

    /// Returns a descriptor from which libfcgi can read the head in the scratch buffer, followed by the end of file.
    private func relay(_ count: Int) -> Int32? {
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
            return nil
        }
        defer { close(pair[0]) }
        // It fits in one piece: RecordValidator.limit is below the capacity of a unix socket.
        guard send(pair[0], scratch.baseAddress, count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)) == count else {
            close(pair[1])
            return nil
        }
        return pair[1]
    }

    /// libfcgi closes a connection by shutting it down and then reading until the peer closes or is silent for 2 s,
    /// which blocks the thread. That is meant for TCP, where unread bytes would cost the peer the end of the response.
    /// Bytes that a unix socket has delivered stay readable. The flag `detached` skips the wait and is reset at each
    /// close.
    private func closeWithoutLingering() { fcgi.pointee.detached = 1 }

    // MARK: - Body

    private func readBody(
        after head: Parameters.Head, from input: UnsafeMutablePointer<FCGX_Stream>
    ) -> (Request, RequestRejection?)? {
        var request = head.request
        var rejection = head.rejection
        let folder = options.bodyFolder.flatMap { $0.contains(request) ? $0 : nil }
        let limit = folder?.limit ?? options.bodyLimit
        let deadline = MonotonicClock.now + .seconds(folder?.seconds ?? options.bodySeconds)
        if let length = head.contentLength, length > limit {
            rejection = rejection ?? .bodyTooLarge(limit: limit)
        }
        var taken = 0
        if rejection == nil {
            if let folder {
                do throws(BodyFile.Failure) {
                    let file = try folder.makeFile()
                    request.bodyFile = file
                    taken = try write(atMost: head.contentLength ?? limit, from: input, to: file, until: deadline)
                } catch {
                    rejection = error.isOutOfSpace ? .diskFull : .bodyNotStored(reason: error.description)
                }
            } else {
                request.body = take(atMost: head.contentLength ?? limit, from: input, until: deadline)
                taken = request.body.count
            }
        }
        let surplus = discardRest(of: input, until: deadline)
        // The stream ended early: the web server or its client is gone, or the bytes were not FastCGI.
        if FCGX_GetError(input) != 0 {
            closeWithoutLingering()
            FCGX_Free(fcgi, 1)
            return nil
        }
        if rejection == nil {
            if let length = head.contentLength {
                if surplus > 0 || taken < length { rejection = .bodyIncomplete }
            } else if surplus > 0 {
                rejection = .bodyTooLarge(limit: limit)
            }
        }
        if rejection != nil { (request.body, request.bodyFile) = ([], nil) }
        return (request, rejection)
    }

    /// Reads up to `limit` bytes of the body. Memory is allocated as bytes arrive, so a large announced length costs
    /// nothing.
    private func take(
        atMost limit: Int, from input: UnsafeMutablePointer<FCGX_Stream>, until deadline: Duration
    ) -> [UInt8] {
        var body: [UInt8] = []
        while body.count < limit, MonotonicClock.now < deadline {
            let count = read(limit - body.count, from: input)
            if count == 0 { break }
            body.append(contentsOf: scratch[..<count])
        }
        return body
    }

    /// Writes up to `limit` bytes of the body to a file. Returns their number.
    private func write(
        atMost limit: Int, from input: UnsafeMutablePointer<FCGX_Stream>, to file: BodyFile, until deadline: Duration
    ) throws(BodyFile.Failure) -> Int {
        var total = 0
        while total < limit, MonotonicClock.now < deadline {
            let count = read(limit - total, from: input)
            if count == 0 { break }
            try file.append(UnsafeRawBufferPointer(rebasing: scratch[..<count]))
            total += count
        }
        return total
    }

    /// Reads the body to its end, so that the web server can send all of it and then read the response: nginx reports a
    /// connection that closes while it is sending as a failure (502). Returns the number of bytes.
    private func discardRest(of input: UnsafeMutablePointer<FCGX_Stream>, until deadline: Duration) -> Int {
        /// Enough for any body that the web server lets through. Beyond it the response is sent and the connection
        /// closed.
        let limit = 64 << 20
        var total = 0
        while true {
            let count = read(scratch.count, from: input)
            if count == 0 { return total }
            total += count
            if total > limit || MonotonicClock.now >= deadline {
                isOutOfSync = true
                return total
            }
        }
    }

    /// Reads at least one byte into the scratch buffer. Returns 0 at the end. FCGX_GetStr alone would wait for all
    /// bytes it was asked for, and a peer that sends a byte now and then would block the thread.
    private func read(_ wanted: Int, from input: UnsafeMutablePointer<FCGX_Stream>) -> Int {
        let first = FCGX_GetChar(input)
        guard first >= 0 else { return 0 }
        scratch[0] = UInt8(truncatingIfNeeded: first)
        let rest = min(min(wanted, scratch.count) - 1, input.pointee.stop - input.pointee.rdNext)
        // The buffer has an address: it was allocated with RecordValidator.limit bytes.
        let target = (scratch.baseAddress! + 1).assumingMemoryBound(to: CChar.self)
        return 1 + Int(FCGX_GetStr(target, Int32(rest), input))
    }
}
