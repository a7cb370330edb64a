/// How one worker process works; every number has the unit in its name or comment.
public struct WorkerOptions: Sendable {
    /// Threads, and so handlers and database connections, of this process. There is one more of all for slow requests.
    public var threads = 8
    /// Slow requests that may wait; more are refused with 503. At 20 ms each, on a processor of its own, the last one
    /// waits 20 s; a web server that gives up sooner closes the connection, and the request is dropped.
    public var slowRequests = 1_000
    /// Bytes that waiting slow requests may have together; more are refused like too many.
    public var slowBytes = 32 << 20
    /// Stack of each thread in bytes. 1 MB rather than the 8 MB default: a worker has many and recursion is bounded.
    public var stackBytes = 1 << 20
    /// Longest body let in, in bytes; a longer one is read, thrown away and refused.
    public var bodyLimit = 11 << 20
    /// Most parameters (header fields and what nginx adds) of a request; more are refused with 431.
    public var fieldLimit = 2_000
    /// How long one read or write on a connection may stand still, in seconds; then it is closed and its thread free.
    public var ioTimeoutSeconds = 10
    /// How long the body of one request may take in all, in seconds.
    public var bodySeconds = 60
    /// How long requests in flight may take once the worker was told to go, in seconds; then they are cut.
    public var drainSeconds = 30
    /// Requests after which the worker asks to be replaced; 0 never. Each worker adds up to an eighth of its own,
    /// so that a pool that started together does not recycle together.
    public var recycleAfter = 0
    /// The parameter in which the web server passes the id of a request.
    public var requestIDParameter = "LECTERN_REQUEST_ID"

    public init() {}
}
