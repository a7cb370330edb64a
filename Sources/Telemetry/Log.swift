import Logging

/// Turns observations into log lines.
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

    public func callAsFunction(_ observation: Observation) {
        switch observation {
        case .request(let request):
            if logger.logLevel <= .info { write(request) }
        case .unforeseen(let id, let description):
            logger.error("unforeseen error", metadata: ["id": "\(id)", "error": "\(description)"])
        case .databaseUnavailable(let reason):
            logger.warning("database unavailable", metadata: ["reason": "\(reason)"])
        case .workerStarted(let pid):
            logger.info("worker started", metadata: ["pid": .stringConvertible(pid)])
        case .workerEnded(let pid, let how):
            logger.notice("worker ended", metadata: ["pid": .stringConvertible(pid), "how": "\(how)"])
        case .workerDelayed(let seconds):
            logger.warning(
                "workers keep dying at their start; waiting", metadata: ["seconds": .stringConvertible(seconds)])
        case .workerReplaced(let old, let new):
            logger.info(
                "worker replaced", metadata: ["old": .stringConvertible(old), "new": .stringConvertible(new)])
        case .poolReady(let workers, let socket):
            logger.info("pool ready", metadata: ["workers": .stringConvertible(workers), "socket": "\(socket)"])
        case .poolStopping: logger.info("pool stopping")
        case .jobsReady(let parallel): logger.info("jobs ready", metadata: ["parallel": .stringConvertible(parallel)])
        case .jobsStopping: logger.info("jobs stopping")
        case .jobHangs(let link, let job): logger.error("a job does not end; starting anew", metadata: ["link": "\(link)", "job": "\(job)"])
        case .readersUnfiltered:
            logger.warning("no filter of system calls here (seccomp): pages are read with the other limits alone")
        case .noPDFReader: logger.warning("lectern-pdf is not beside this program: PDF files are not read")
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
            logger.info("mail sent", metadata: ["mail": "\(mail)", "kind": "\(kind)", "attempt": .stringConvertible(attempt)])
        case .mailPutOff(let mail, let kind, let attempt, let why, let seconds):
            logger.notice(
                "mail put off",
                metadata: [
                    "mail": "\(mail)", "kind": "\(kind)", "attempt": .stringConvertible(attempt), "why": "\(why)",
                    "seconds": .stringConvertible(seconds),
                ])
        case .mailFailed(let mail, let kind, let attempt, let why):
            logger.warning(
                "mail failed",
                metadata: ["mail": "\(mail)", "kind": "\(kind)", "attempt": .stringConvertible(attempt), "why": "\(why)"])
        case .mailUnsendable(let mail, let kind):
            logger.warning("no SMTP_URL: `lectern mail` shows the link", metadata: ["mail": "\(mail)", "kind": "\(kind)"])
        case .exportReady(let export, let rows, let articles, let bytes):
            logger.info(
                "export ready",
                metadata: [
                    "export": "\(export)", "rows": .stringConvertible(rows), "articles": .stringConvertible(articles),
                    "bytes": .stringConvertible(bytes),
                ])
        case .exportPutOff(let export, let attempt, let why, let seconds):
            logger.warning(
                "export put off",
                metadata: [
                    "export": "\(export)", "attempt": .stringConvertible(attempt), "why": "\(why)",
                    "seconds": .stringConvertible(seconds),
                ])
        case .exportFailed(let export, let why):
            logger.error("export failed", metadata: ["export": "\(export)", "why": "\(why)"])
        case .exportDropped(let export):
            logger.notice("export dropped: its user is gone, or another has it", metadata: ["export": "\(export)"])
        case .picturesOutage(let why):
            logger.error("pictures wait", metadata: ["why": "\(why)"])
        case .picturesSwept(let files, let lost, let loose, let isOutOfReach):
            if isOutOfReach {
                logger.error("the pictures' folder, or most of what was in it, is not there; its pictures wait for it")
            } else {
                logger.notice("pictures swept", metadata: ["files_removed": "\(files)", "lost": "\(lost)", "loose": "\(loose)"])
            }
        }
    }

    /// The one line of a request. Straight to its bytes: as metadata it cost a tenth of a list request.
    private func write(_ request: Observation.AnsweredRequest) {
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

    /// To microseconds: more digits would only be noise.
    private static func rounded(_ milliseconds: Double) -> Double { (milliseconds * 1_000).rounded() / 1_000 }
}
