/// The state of one worker process at one moment.
public struct SlotReport: Sendable, Equatable {
    public var index: Int
    public var pid: Int32
    public var state: WorkerState
    /// Seconds since 1970.
    public var startedAt: Int
    /// Threads for ordinary requests.
    public var threads: Int
    public var busyThreads: Int
    /// The web server's connections in this process, including idle ones.
    public var openConnections: Int
    /// Requests that wait for the slow thread, including the one it is answering.
    public var waitingRequests: Int
    /// Requests that wait because their source has as many running requests as its limit.
    public var heldRequests: Int
    /// The number of requests this process has answered.
    public var requestsServed: Int
}
