/// The settings of one worker process. Every number's unit is in its name or comment.
public struct WorkerOptions: Sendable {
    /// Threads of this process, from 1 to 256. Each has a handler and a database connection. One more thread answers
    /// slow requests.
    public var threads = 8
    public static let mostThreads = 256
    /// The maximum number of slow requests that may wait. More are rejected with 503. If each takes 20 ms on a
    /// processor of its own, the last one waits 20 s. If the web server times out sooner, it closes the connection and
    /// the request is dropped.
    public var slowRequests = 1_000
    /// The maximum number of bytes of all waiting slow requests together. Requests beyond it are rejected in the same
    /// way.
    public var slowBytes = 32 << 20
    /// How long a request may wait because its source has as many running requests as its limit, in milliseconds. Then
    /// it is rejected with 429.
    public var holdMilliseconds = 5_000
    /// The maximum number of such requests of one source that may wait in this process, and of all sources together.
    /// More are rejected at once.
    public var heldRequestsOfSource = 64
    public var heldRequests = 512
    /// The maximum number of bytes of these requests together, as above. The part of one source has room for two bodies
    /// of the largest size.
    public var heldBytesOfSource = 24 << 20
    public var heldBytes = 64 << 20
    /// The stack of each thread, in bytes. 1 MB instead of the default 8 MB: a worker has many threads, and recursion
    /// is bounded.
    public var stackBytes = 1 << 20
    /// The longest accepted body, in bytes. A longer one is read, discarded and rejected.
    public var bodyLimit = 11 << 20
    /// Where bodies that may be too large for memory are written; nil: no request has such a body.
    public var bodyFolder: BodyFolder?
    /// The maximum number of parameters (header fields and nginx's additions) of a request. More are rejected with 431.
    public var fieldLimit = 2_000
    /// How long a read or write on a connection may make no progress, in seconds. Then it is closed and its thread
    /// free.
    public var ioTimeoutSeconds = 10
    /// How long reading the whole body of a request may take, in seconds.
    public var bodySeconds = 60
    /// How long requests in flight may take after the worker was told to stop, in seconds. Then they are aborted.
    public var drainSeconds = 30
    /// Requests after which the worker asks to be replaced, or 0 for never. Each worker adds a random number up to an
    /// eighth, so that workers that started together are not replaced together.
    public var recycleAfter = 0
    /// The parameter in which the web server passes a request's id.
    public var requestIDParameter = "LECTERN_REQUEST_ID"

    public init() {}
}
