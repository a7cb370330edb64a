/// The limits on sockets, so that no client can exhaust the memory or the time of the process.
public struct Limits: Sendable, Equatable {
    /// Open sockets in all.
    public var sockets = 20_000
    /// Open sockets of one user: devices and windows.
    public var socketsPerUser = 100
    /// Channels of a socket; Supabase allows as many.
    public var channelsPerSocket = 100
    /// Bindings of a channel.
    public var bindingsPerChannel = 100
    /// Bindings of a user on all sockets: each is compared with each change.
    public var bindingsPerUser = 2_000
    /// What a socket keeps of its joins, topics and bindings, in bytes of memory.
    public var joinBytesPerSocket = 65_536
    /// Messages that a socket may send at once, and per second in the long run; nil: any number. A page with a hundred
    /// channels joins them at once and pushes a token to each.
    public var messages: Rate? = Rate(burst: 500, perSecond: 50)
    /// Bytes of messages, in the same way. The page with a hundred channels sends some 400,000 at once.
    public var bytes: Rate? = Rate(burst: 1_048_576, perSecond: 65_536)
    /// What waits to be sent to a socket, in bytes. A socket that reads more slowly is closed. A change of a thousand
    /// links at once has some three million bytes. One message may be larger.
    public var queuedBytes = 4_194_304
    /// What waits to be sent to all sockets, in bytes. Beyond it the sockets with the largest queues are closed.
    public var queuedBytesInAll = 134_217_728
    /// Intervals of 10 ms in which changes wait for clients that read: half a second at once, and in the long run a tenth
    /// of the time.
    public var pauses = Rate(burst: 50, perSecond: 10)
    /// After this time without a frame the server sends a ping, in milliseconds. Clients send a heartbeat every 25 s.
    public var pingAfter = 35_000
    /// After this time without a frame a socket counts as dead and is closed, in milliseconds.
    public var deadAfter = 60_000

    public struct Rate: Sendable, Equatable {
        public var burst: Double
        public var perSecond: Double

        public init(burst: Double, perSecond: Double) {
            self.burst = burst
            self.perSecond = perSecond
        }
    }

    public init() {}
}
