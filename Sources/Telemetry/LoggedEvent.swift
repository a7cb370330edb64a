/// The events that are logged, as values. `Log` turns each into a log line.
public enum LoggedEvent: Sendable {
    /// An answered request. Contains no token, password, body or query.
    case request(AnsweredRequest)
    /// An unexpected error with its full text. The client sees only the request's id.
    case unforeseen(requestID: String, description: String)
    case databaseUnavailable(reason: String)
    /// All requests come from one address with X-Forwarded-For, and no proxy is trusted.
    case untrustedProxy(address: String)
    case workerStarted(pid: Int32)
    case workerEnded(pid: Int32, how: String)
    case workerDelayed(seconds: Double)
    case workerReplaced(old: Int32, new: Int32)
    case poolReady(workers: Int, socket: String)
    case poolStopping
    case jobsReady(parallel: Int)
    case jobsStopping
    /// A job still runs long after its deadline, so the process exits.
    case jobHangs(link: String, job: Int)
    /// The reader processes run without a system call filter.
    case readersUnfiltered
    /// PDF files cannot be read because the program lectern-pdf is missing.
    case noPDFReader
    case jobDone(link: String, attempt: Int, outcome: String, milliseconds: [(step: String, milliseconds: Double)])
    case jobFailed(link: String, attempt: Int, reason: String, message: String, next: String)
    case jobLost(link: String, why: String)
    case mailSent(mail: String, kind: String, attempt: Int)
    case mailPutOff(mail: String, kind: String, attempt: Int, why: String, seconds: Int)
    case mailFailed(mail: String, kind: String, attempt: Int, why: String)
    /// A mail cannot be sent because no mail server is configured.
    case mailUnsendable(mail: String, kind: String)
    case exportReady(export: String, rows: Int, articles: Int, bytes: Int)
    case exportPutOff(export: String, attempt: Int, why: String, seconds: Int)
    case exportFailed(export: String, why: String)
    case exportDropped(export: String)
    case bookPutOff(book: String, attempt: Int, why: String, seconds: Int)
    case bookFailed(book: String, why: String)
    case importRead(import: String, outcome: String)
    case importPutOff(import: String, attempt: Int, why: String, seconds: Int)
    case importFailed(import: String, why: String)
    /// Books cannot be written, or their pictures cannot be read, because of a local error.
    case booksOutage(why: String)
    /// Pictures cannot be read or written because of a local error.
    case picturesOutage(why: String)
    case picturesSwept(files: Int, lost: Int, unused: Int, isOutOfReach: Bool)
    case realtimeReady(socket: String)
    case realtimeStopping
    /// The change log no longer has all changes since it was last read.
    case realtimeGap

    /// The properties of an answered request, with the time of each step.
    public struct AnsweredRequest: Sendable {
        public var id: String
        public var user: String?
        public var method: String
        public var route: String
        public var status: Int
        public var bytes: Int
        public var auth: Duration
        public var plan: Duration
        public var sql: Duration
        public var total: Duration

        public init(
            id: String, user: String?, method: String, route: String, status: Int, bytes: Int, auth: Duration,
            plan: Duration, sql: Duration, total: Duration
        ) {
            self.id = id
            self.user = user
            self.method = method
            self.route = route
            self.status = status
            self.bytes = bytes
            self.auth = auth
            self.plan = plan
            self.sql = sql
            self.total = total
        }
    }
}

extension Duration {
    /// The duration in milliseconds.
    public var milliseconds: Double {
        Double(components.seconds) * 1_000 + Double(components.attoseconds) / 1e15
    }
}
