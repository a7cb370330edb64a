import Auth
import Glibc
import Processes
import Realtime
import Schema
import Settings
import Telemetry
import Threads

/// The whole service: the sockets of clients, the feed of changes and the metrics.
struct RealtimeService {
    private let settings: Settings
    private let options: CommandLineOptions
    private let log: Log
    private let socket: UnixSocket
    private let metricsSocket: UnixSocket

    /// Descriptors that are not sockets of clients.
    private static let otherDescriptors = 64
    /// The longest wait for the database at the start, in milliseconds. Then joins are refused until it answers.
    private static let startTimeout = 5_000

    init(_ settings: Settings, _ options: CommandLineOptions) {
        self.settings = settings
        self.options = options
        log = Log(program: "lectern-realtime", level: settings.text("LOG_LEVEL"))
        let folder = settings.text("RUN_DIR")
        // nginx connects to the first by its group; only this user and root read the second.
        socket = UnixSocket(path: folder + "/realtime.sock", mode: 0o660)
        metricsSocket = UnixSocket(path: folder + "/metrics.sock", mode: 0o600)
    }

    /// Runs until SIGTERM.
    func run() throws {
        // Before any thread starts, so that all inherit the mask.
        let signals = SignalQueue([SIGTERM, SIGINT])
        signal(SIGPIPE, SIG_IGN)
        let previous = try socket.owner()
        if let previous, !options.takesOver {
            throw UnixSocket.Failure(description: "\(previous) already listens on \(socket.path)")
        }
        let server = try startServer()
        let metrics = try server.serveMetrics(on: metricsSocket)
        let listener = try server.acceptSockets(on: socket)
        let inode = socket.inode
        log(.realtimeReady(socket: socket.path))
        if case .process(let pid) = previous { kill(pid, SIGTERM) }

        _ = signals.next(orReadable: nil, within: nil)
        log(.realtimeStopping)
        // A replacement has put its own sockets there.
        if socket.inode == inode { [socket, metricsSocket].forEach { unlink($0.path) } }
        try? listener.close().wait()
        // The supervisor kills the process soon after this time.
        server.closeSockets(within: max(1, settings.number("DRAIN_TIMEOUT") - 2))
        try? metrics.close().wait()
        // Skips the clean-up of libraries, which is unsafe while other threads run.
        _exit(0)
    }

    /// Starts the event loop and the feed, and waits for the feed.
    private func startServer() throws -> RealtimeServer {
        let keys = JWTKeySet(
            secret: try settings.required("JWT_SECRET"), previous: settings.list("JWT_PREVIOUS_SECRETS"))
        let conninfo = try settings.required("REALTIME_DATABASE")
        let schema = try SchemaVersion(ofFilesIn: settings.text("SQL_DIR"))
        let hasTables = CountingSemaphore(0)
        let relay = FeedRelay(log) { hasTables.release() }
        let feed = ChangeFeed(conninfo, schema: schema, tell: relay.handle)
        let server = try RealtimeServer(limits: limits(), keys: keys, feedWanted: feed.want)
        relay.connect(to: server)
        Thread.start { feed.run() }
        for _ in 0..<Self.startTimeout / 10 {
            if hasTables.tryAcquire() { break }
            usleep(10_000)
        }
        return server
    }

    private func limits() -> Limits {
        var limits = Limits()
        limits.sockets = min(settings.number("REALTIME_SOCKETS"), Self.descriptors() - Self.otherDescriptors)
        limits.socketsPerUser = settings.number("REALTIME_USER_SOCKETS")
        if settings.text("RATE_LIMITS") == "off" { (limits.messages, limits.bytes) = (nil, nil) }
        return limits
    }

    /// Raises the number of descriptors to what the system allows, and returns it.
    private static func descriptors() -> Int {
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = limit.rlim_max
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        return Int(clamping: limit.rlim_max)
    }
}
