import Logging

/// Writes events as log lines.
public struct Log: Sendable {
    private let logger: Logger
    private let program: String

    /// - Parameter level: `debug`, `info`, `warning` or `error`.
    public init(program: String, level: String) {
        let level = Logger.Level(rawValue: level) ?? .info
        var logger = Logger(label: program) { _ in JSONLogHandler(level: level) }
        logger[metadataKey: "program"] = "\(program)"
        self.logger = logger
        self.program = program
    }

    /// Logs an event.
    public func callAsFunction(_ event: LoggedEvent) {
        switch event {
        case .request(let request):
            if logger.logLevel <= .info { write(request) }
        case .unforeseen(let id, let description):
            logger.error("unexpected error", metadata: ["id": "\(id)", "error": "\(description)"])
        case .databaseUnavailable(let reason):
            logger.warning("database unavailable", metadata: ["reason": "\(reason)"])
        case .untrustedProxy(let address):
            logger.warning(
                """
                all requests come from one address with X-Forwarded-For, so rate limits count all clients as one; if it \
                is your proxy, set LECTERN_TRUSTED_PROXIES to this address
                """, metadata: ["address": "\(address)"])
        case .workerStarted(let pid):
            logger.info("worker started", metadata: ["pid": .stringConvertible(pid)])
        case .workerEnded(let pid, let how):
            logger.notice("worker ended", metadata: ["pid": .stringConvertible(pid), "how": "\(how)"])
        case .workerDelayed(let seconds):
            logger.warning(
                "workers exit right after their start; waiting", metadata: ["seconds": .stringConvertible(seconds)])
        case .workerReplaced(let old, let new):
            logger.info(
                "worker replaced", metadata: ["old": .stringConvertible(old), "new": .stringConvertible(new)])
        case .poolReady(let workers, let socket):
            logger.info("pool ready", metadata: ["workers": .stringConvertible(workers), "socket": "\(socket)"])
        case .poolStopping: logger.info("pool stopping")
        case .jobsReady(let parallel): logger.info("jobs ready", metadata: ["parallel": .stringConvertible(parallel)])
        case .jobsStopping: logger.info("jobs stopping")
        case .jobHangs(let link, let job):
            logger.error("job hangs; restarting the process", metadata: ["link": "\(link)", "job": "\(job)"])
        case .readersUnfiltered:
            logger.warning("seccomp is not available: reader processes run without a system call filter")
        case .noPDFReader: logger.warning("lectern-pdf is missing beside this program: PDF files cannot be read")
        case .jobDone(let link, let attempt, let outcome, let steps):
            var metadata: Logger.Metadata = [
                "link": "\(link)", "attempt": .stringConvertible(attempt), "outcome": "\(outcome)",
            ]
            for step in steps { metadata["ms_\(step.step)"] = .stringConvertible(Self.rounded(step.milliseconds)) }
            logger.info("job done", metadata: metadata)
        case .jobFailed(let link, let attempt, let reason, let message, let next):
            logger.notice(
                "job failed",
                metadata: [
                    "link": "\(link)", "attempt": .stringConvertible(attempt), "reason": "\(reason)",
                    "sentence": "\(message)", "next": "\(next)",
                ])
        case .jobLost(let link, let why):
            logger.warning("job lost", metadata: ["link": "\(link)", "why": "\(why)"])
        case .mailSent(let mail, let kind, let attempt):
            logger.info(
                "mail sent",
                metadata: ["mail": "\(mail)", "kind": "\(kind)", "attempt": .stringConvertible(attempt)])
        case .mailPutOff(let mail, let kind, let attempt, let why, let seconds):
            logger.notice(
                "mail deferred",
                metadata: [
                    "mail": "\(mail)", "kind": "\(kind)", "attempt": .stringConvertible(attempt), "why": "\(why)",
                    "seconds": .stringConvertible(seconds),
                ])
        case .mailFailed(let mail, let kind, let attempt, let why):
            logger.warning(
                "mail failed",
                metadata: [
                    "mail": "\(mail)", "kind": "\(kind)", "attempt": .stringConvertible(attempt), "why": "\(why)",
                ])
        case .mailUnsendable(let mail, let kind):
            logger.warning(
                "mail not sent: SMTP_URL is not set; `lectern mail` shows the link",
                metadata: ["mail": "\(mail)", "kind": "\(kind)"])
        case .exportReady(let export, let rows, let articles, let bytes):
            logger.info(
                "export ready",
                metadata: [
                    "export": "\(export)", "rows": .stringConvertible(rows), "articles": .stringConvertible(articles),
                    "bytes": .stringConvertible(bytes),
                ])
        case .exportPutOff(let export, let attempt, let why, let seconds):
            logger.warning(
                "export deferred",
                metadata: [
                    "export": "\(export)", "attempt": .stringConvertible(attempt), "why": "\(why)",
                    "seconds": .stringConvertible(seconds),
                ])
        case .exportFailed(let export, let why):
            logger.error("export failed", metadata: ["export": "\(export)", "why": "\(why)"])
        case .importRead(let file, let outcome):
            logger.info("import read", metadata: ["import": "\(file)", "outcome": "\(outcome)"])
        case .importPutOff(let file, let attempt, let why, let seconds):
            logger.warning(
                "import deferred",
                metadata: [
                    "import": "\(file)", "attempt": .stringConvertible(attempt), "why": "\(why)",
                    "seconds": .stringConvertible(seconds),
                ])
        case .importFailed(let file, let why):
            logger.error("import failed", metadata: ["import": "\(file)", "why": "\(why)"])
        case .bookPutOff(let book, let attempt, let why, let seconds):
            logger.warning(
                "book deferred",
                metadata: [
                    "book": "\(book)", "attempt": .stringConvertible(attempt), "why": "\(why)",
                    "seconds": .stringConvertible(seconds),
                ])
        case .bookFailed(let book, let why):
            logger.error("book failed", metadata: ["book": "\(book)", "why": "\(why)"])
        case .exportDropped(let export):
            logger.notice(
                "export dropped: the user was deleted or another worker has it", metadata: ["export": "\(export)"])
        case .booksOutage(let why): logger.error("books deferred", metadata: ["why": "\(why)"])
        case .picturesOutage(let why):
            logger.error("pictures deferred", metadata: ["why": "\(why)"])
        case .realtimeReady(let socket): logger.info("realtime ready", metadata: ["socket": "\(socket)"])
        case .realtimeStopping: logger.info("realtime stopping")
        case .realtimeGap:
            logger.warning("changes may be missing after an interruption; closing the sockets of clients")
        case .picturesSwept(let files, let lost, let unused, let isOutOfReach):
            if isOutOfReach {
                logger.error("pictures deferred: their directory or most of its files are missing")
            } else {
                logger.notice(
                    "pictures swept",
                    metadata: ["files_removed": "\(files)", "lost": "\(lost)", "unused": "\(unused)"])
            }
        }
    }

    /// Writes the line of a request. It is built without swift-log's metadata, which took a tenth of the time of a list
    /// request.
    private func write(_ request: LoggedEvent.AnsweredRequest) {
        var line = JSONLine(level: Logger.Level.info.rawValue, message: "request")
        line.add("program", program)
        line.add("id", request.id)
        if let user = request.user { line.add("user", user) }
        line.add("method", request.method)
        line.add("route", request.route)
        line.add("status", request.status)
        line.add("bytes", request.bytes)
        line.add("ms_auth", request.auth)
        line.add("ms_plan", request.plan)
        line.add("ms_sql", request.sql)
        line.add("ms_total", request.total)
        line.write()
    }

    /// Milliseconds with three decimals.
    private static func rounded(_ milliseconds: Double) -> Double { (milliseconds * 1_000).rounded() / 1_000 }
}
