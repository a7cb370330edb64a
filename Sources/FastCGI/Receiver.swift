internal import CFastCGI
internal import Glibc
internal import HTTP
internal import Synchronization

/// One thread's use of libfcgi: reads one request after the other, each from a connection that is given in.
///
/// libfcgi would rather accept connections itself and keep each for the thread that accepted it. Its public request
/// structure allows the other way (2.4.2, fcgiapp.c): with `ipcFd` set, FCGX_Accept_r skips accepting and reads; when
/// what it reads is no request it closes the connection and tries to accept another, which fails at once on a
/// `listen_sock` of -1; FCGX_Free leaves `ipcFd` open when told so. Its part ends with the last byte of the request:
/// `OutputRecords` writes the answer, so whoever has the `Reply` can give it.
final class Receiver {
    private let fcgi: UnsafeMutablePointer<FCGX_Request>
    /// The head of a request while it is looked at, later what is read to be thrown away.
    private let scratch: UnsafeMutableRawBufferPointer
    private let options: WorkerOptions
    /// What was read is not the whole request, so the next one on this connection could not be found.
    private var isOutOfStep = false

    init(options: WorkerOptions) {
        self.options = options
        scratch = .allocate(byteCount: RequestHeadValidator.limit, alignment: 16)
        fcgi = .allocate(capacity: 1)
        fcgi.initialize(to: FCGX_Request())
        FCGX_InitRequest(fcgi, -1, 0)
    }

    deinit {
        fcgi.deallocate()
        scratch.deallocate()
    }

    /// Reads one request from a connection that has something to read. Nil when there is nothing to answer: the peer
    /// closed the connection, or sent what is no request. It is closed then.
    func receive(from connection: Int32) -> ReceivedRequest? {
        isOutOfStep = false
        guard accept(awaitHead(on: connection), on: connection),
            let input = fcgi.pointee.`in`, let parameters = fcgi.pointee.envp
        else { return nil }
        InputGuard.install(on: input)
        let head = Parameters(list: parameters)
            .head(idParameter: options.requestIDParameter, fieldLimit: options.fieldLimit)
        guard let (request, refusal) = readBody(after: head, from: input) else { return nil }
        return ReceivedRequest(request: request, refusal: refusal, reply: letGo())
    }

    /// Has libfcgi forget the request, which was read to its end.
    private func letGo() -> Reply {
        let reply = Reply(
            connection: fcgi.pointee.ipcFd, requestID: fcgi.pointee.requestId,
            mayKeep: fcgi.pointee.keepConnection != 0 && !isOutOfStep)
        FCGX_Free(fcgi, 0)
        fcgi.pointee.ipcFd = -1
        return reply
    }

    // MARK: - Head

    private enum Head {
        /// The peer went away, or sends what libfcgi must not see.
        case none
        /// Whole, and still unread in the connection.
        case waiting
        /// Whole, and the first bytes of the scratch buffer.
        case taken(Int)
    }

    /// Waits for the head of a request, which nearly always is there at once. Then it is only looked at. What comes in pieces
    /// is taken out piece by piece: a unix socket holds few small ones.
    private func awaitHead(on connection: Int32) -> Head {
        let deadline = Clock.now + .seconds(options.ioTimeoutSeconds)
        var taken = 0
        while true {
            let count = look(at: connection, behind: taken)
            guard count > 0 else { return .none }
            switch RequestHeadValidator.verdict(on: UnsafeRawBufferPointer(rebasing: scratch[..<(taken + count)])) {
            case .refused:
                return .none
            case .complete(let length):
                if taken == 0 { return .waiting }
                return take(length - taken, from: connection, behind: taken) ? .taken(length) : .none
            case .incomplete:
                // All of it belongs to the head, as that is not complete.
                guard Clock.now < deadline, take(count, from: connection, behind: taken) else { return .none }
                taken += count
            }
        }
    }

    /// Copies what has arrived behind so many bytes of the scratch buffer, and leaves it in the connection.
    private func look(at connection: Int32, behind taken: Int) -> Int {
        while true {
            // Allocated with RequestHeadValidator.limit bytes, so it has an address.
            let count = recv(connection, scratch.baseAddress! + taken, scratch.count - taken, Int32(MSG_PEEK))
            if count >= 0 || errno != EINTR { return count }
        }
    }

    /// Takes so many bytes that are there.
    private func take(_ count: Int, from connection: Int32, behind taken: Int) -> Bool {
        // As above.
        recv(connection, scratch.baseAddress! + taken, count, Int32(MSG_WAITALL)) == count
    }

    /// Has libfcgi read the head. False when there is no request; then the connection is closed.
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
            // libfcgi has read to the end of the head and no further, and reads on from here.
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

    /// A descriptor from which libfcgi can read what we have taken: the head, and then the end.
    private func relay(_ count: Int) -> Int32? {
        var pair: [Int32] = [-1, -1]
        guard socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0, &pair) == 0 else {
            return nil
        }
        defer { close(pair[0]) }
        // In one piece it fits: RequestHeadValidator.limit is below what a unix socket holds.
        guard send(pair[0], scratch.baseAddress, count, Int32(MSG_DONTWAIT) | Int32(MSG_NOSIGNAL)) == count else {
            close(pair[1])
            return nil
        }
        return pair[1]
    }

    /// libfcgi closes by shutting down and then reading until the peer closes or is silent for 2 s, which holds the
    /// thread. That is for TCP, where unread bytes would cost the peer the end of our answer. What a unix
    /// socket has delivered stays readable. "Detached" skips it, and is reset at each close.
    private func closeWithoutLingering() { fcgi.pointee.detached = 1 }

    // MARK: - Body

    private func readBody(
        after head: Parameters.Head, from input: UnsafeMutablePointer<FCGX_Stream>
    ) -> (Request, RequestRejection?)? {
        var request = head.request
        var refusal = head.refusal
        let deadline = Clock.now + .seconds(options.bodySeconds)
        if let length = head.contentLength, length > options.bodyLimit {
            refusal = refusal ?? .bodyTooLarge(limit: options.bodyLimit)
        }
        if refusal == nil {
            request.body = take(atMost: head.contentLength ?? options.bodyLimit, from: input, until: deadline)
        }
        let surplus = throwAwayRest(of: input, until: deadline)
        // The stream broke off: the web server or its client is gone, or what came was no FastCGI.
        if FCGX_GetError(input) != 0 {
            closeWithoutLingering()
            FCGX_Free(fcgi, 1)
            return nil
        }
        if refusal == nil {
            if let length = head.contentLength {
                if surplus > 0 || request.body.count < length { refusal = .bodyIncomplete }
            } else if surplus > 0 {
                refusal = .bodyTooLarge(limit: options.bodyLimit)
            }
        }
        if refusal != nil { request.body = [] }
        return (request, refusal)
    }

    /// Up to `limit` bytes of the body. The memory is taken as the bytes come, so that an announced length costs nothing.
    private func take(
        atMost limit: Int, from input: UnsafeMutablePointer<FCGX_Stream>, until deadline: Duration
    ) -> [UInt8] {
        var body: [UInt8] = []
        while body.count < limit, Clock.now < deadline {
            let count = read(limit - body.count, from: input)
            if count == 0 { break }
            body.append(contentsOf: scratch[..<count])
        }
        return body
    }

    /// Reads the body to its end, so that the web server can send all of it and then hears our answer: nginx takes a
    /// connection closed while it sends for a failure (502). Returns how many bytes there were.
    private func throwAwayRest(of input: UnsafeMutablePointer<FCGX_Stream>, until deadline: Duration) -> Int {
        /// Enough for any body a web server in front lets through; after it the answer comes and the connection ends.
        let patience = 64 << 20
        var total = 0
        while true {
            let count = read(scratch.count, from: input)
            if count == 0 { return total }
            total += count
            if total > patience || Clock.now >= deadline {
                isOutOfStep = true
                return total
            }
        }
    }

    /// Reads some bytes, at least one, into the scratch buffer; 0 is the end. FCGX_GetStr alone would wait for all that
    /// was asked for, and a peer that sends a byte now and then would hold the thread.
    private func read(_ wanted: Int, from input: UnsafeMutablePointer<FCGX_Stream>) -> Int {
        let first = FCGX_GetChar(input)
        guard first >= 0 else { return 0 }
        scratch[0] = UInt8(truncatingIfNeeded: first)
        let rest = min(min(wanted, scratch.count) - 1, input.pointee.stop - input.pointee.rdNext)
        // Allocated with RequestHeadValidator.limit bytes, so it has an address.
        let target = (scratch.baseAddress! + 1).assumingMemoryBound(to: CChar.self)
        return 1 + Int(FCGX_GetStr(target, Int32(rest), input))
    }
}

/// Keeps libfcgi from interpreting management records that come in the middle of a body.
///
/// Its FCGI_GET_VALUES code overruns a buffer on the stack (see `RequestHeadValidator`, which keeps it away before the body). To read
/// such a record it calls the stream's public `fillBuffProc` from inside that very procedure. So ours stands there: it
/// calls the original, and while that runs any further call ends the stream with a protocol error.
private enum InputGuard {
    typealias Fill = @convention(c) (UnsafeMutablePointer<FCGX_Stream>?) -> Void

    /// libfcgi's procedure, the same for every stream; as a number, because that is what can be atomic.
    private static let original = Atomic<UInt>(0)

    static func install(on input: UnsafeMutablePointer<FCGX_Stream>) {
        if let fill = input.pointee.fillBuffProc {
            original.store(unsafeBitCast(fill as Fill, to: UInt.self), ordering: .relaxed)
        }
        input.pointee.fillBuffProc = guarded
    }

    private static let guarded: Fill = { stream in
        guard let stream else { return }
        let fill = unsafeBitCast(original.load(ordering: .relaxed), to: Fill.self)
        stream.pointee.fillBuffProc = refusing
        fill(stream)
        stream.pointee.fillBuffProc = guarded
    }

    private static let refusing: Fill = { stream in
        stream?.pointee.FCGI_errno = FCGX_PROTOCOL_ERROR
        stream?.pointee.isClosed = 1
    }
}
