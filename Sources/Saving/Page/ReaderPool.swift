import Confinement
import Glibc
import HTML
import Jobs
import Links
import Processes
import Readability
import ReaderProcess
import Synchronization
import Threads

/// Reads pages in confined processes without secrets or access: a page that makes its reader use too much memory or
/// time, crash, or execute code harms only that process. The number of processes, and so their memory together, is
/// limited.
///
/// A thread that wants a page read waits until a process may run, takes an idle process or starts one, and returns it.
/// Where a page exceeds a limit, another process extracts its plain text.
///
/// A page that takes over its process may answer with any HTML, so the pool sanitises the HTML of every answer again.
final class ReaderPool: Sendable {
    struct Options: Sendable {
        var limits = ReaderLimits()
        /// Largest number of processes.
        var count = 1
        var executable: String
        /// Arguments before those of the limits.
        var arguments: [String] = []
        /// How long to wait for a process that does not answer; nil: as long as the limits allow.
        var timeout: Duration?
        /// Pages after which a process is replaced, in case it accumulates memory or state.
        var pagesPerProcess = 100

        /// Processes that read PDF files, with the program in the folder of this one; nil where it does not exist.
        ///
        /// Poppler is written in C++, so a file may take over the process that reads it. Each file gets a process of
        /// its own, which holds nothing of other users and reads nothing after it.
        static func pdf(_ limits: ReaderLimits) -> Options? {
            guard let program = OwnProgram.sibling("lectern-pdf"), access(program, X_OK) == 0 else { return nil }
            return Options(limits: limits, executable: program, pagesPerProcess: 1)
        }
    }

    enum Outcome: Sendable {
        case read(PageReading)
        /// The page exceeded a limit; its plain text, unless that exceeded a limit as well.
        case overBudget(PageReading?)
    }

    enum Failure: Error {
        /// No process could be started. The page is not the cause.
        case unavailable(String)
        /// The process ended or sent an invalid message while it read the page, and not because of a limit.
        case crashed(String)
    }

    /// Bytes of a page after which its process is replaced at once, to release its memory.
    private static let largePage = 1 << 20
    /// A process starts in some hundredths of a second, but a machine under load may need longer.
    private static let startTimeout = Duration.seconds(20)
    /// How long a process whose socket is closed may take to end: the kernel releases its memory first.
    private static let endTimeout = Duration.seconds(2)

    private let options: Options
    private let starter = ProcessStarter()
    private let line: Mutex<Line>
    private let wakeUp = WakeUp()
    private let reportUnfiltered: @Sendable () -> Void

    /// The waiting threads and the processes.
    private struct Line {
        var free: Int
        var waiting: [Int] = []
        var issued = 0
        var idle: [Reader] = []
        var all: [ObjectIdentifier: ConfinedProcess] = [:]
        var hasReportedUnfiltered = false
        var isStopped = false
    }

    private struct Reader {
        var process: ConfinedProcess
        var pages = 0
    }

    /// - Parameter reportUnfiltered: called once, when processes run without a filter of system calls.
    init(_ options: Options, reportUnfiltered: @escaping @Sendable () -> Void = {}) {
        self.options = options
        self.reportUnfiltered = reportUnfiltered
        line = Mutex(Line(free: options.count))
    }

    /// Ends all processes. Pages that are being read or waiting fail as unavailable.
    func stop() {
        let (idle, all) = line.withLock { line in
            defer { line.idle = [] }
            line.isStopped = true
            return (line.idle, Array(line.all.values))
        }
        for reader in idle { discard(reader.process) }
        for process in all { process.interrupt() }
        starter.stop()
        wakeUp.all()
    }

    /// Reads a page.
    ///
    /// - Parameter request: called when a process is free, so that only the pages being read are in memory twice.
    func read(_ request: () -> ReaderRequest) throws(Failure) -> Outcome {
        try enter()
        defer { leave() }
        let request = request()
        let reader = try take()
        switch send(request, to: reader) {
        case .answered(.read(let reading)):
            put(back: reader, after: request.html.count)
            guard let safe = sanitized(reading, of: request) else { return .overBudget(nil) }
            return .read(safe)
        case .answered(.overBudget): return .overBudget(try text(of: request, by: reader))
        case .limit: return .overBudget(request.asText == nil ? nil : try text(of: request, by: try start()))
        case .crash(let how): throw failure(how)
        }
    }

    func read(_ page: String, url: String) throws(Failure) -> Outcome {
        try read { ReaderRequest(.page, url: url, html: Array(page.utf8)) }
    }

    /// The plain text of a page.
    ///
    /// - Returns: nil when the text exceeds a limit as well, or the request has no simpler form.
    private func text(of request: ReaderRequest, by reader: Reader) throws(Failure) -> PageReading? {
        guard let asText = request.asText else {
            put(back: reader, after: request.html.count)
            return nil
        }
        switch send(asText, to: reader) {
        case .answered(let answer):
            put(back: reader, after: request.html.count)
            if case .read(let reading) = answer { return sanitized(reading, of: request) }
            return nil
        case .limit: return nil
        case .crash(let how): throw failure(how)
        }
    }

    /// The failure of a process that ended. A process that `stop` has ended did not crash.
    private func failure(_ how: String) -> Failure {
        line.withLock { $0.isStopped } ? Self.stopping : .crashed(how)
    }

    private static let stopping = Failure.unavailable("The service is stopping.")

    // MARK: - One request

    private enum Ending {
        case answered(ReaderResponse)
        /// The process has ended without an answer, because of a limit.
        case limit
        /// The process has ended without an answer, for another reason.
        case crash(String)
    }

    private func send(_ request: ReaderRequest, to reader: Reader) -> Ending {
        let process = reader.process
        let deadline = SuspendingClock.now + (options.timeout ?? options.limits.responseTimeout)
        do throws(ConfinedProcess.MessageError) {
            try process.send(request.message, until: deadline)
            let message = try process.receive(atMost: options.limits.answerBytes, until: deadline)
            guard let answer = ReaderResponse(message) else { throw .malformed }
            return .answered(answer)
        } catch {
            defer { discard(process) }
            switch error {
            case .timedOut: return .limit
            case .malformed: return .crash("sent an invalid message")
            case .closed:
                let end = process.end(after: Self.endTimeout)
                return end == .outOfMemory || end == .outOfTime ? .limit : .crash(end.description)
            }
        }
    }

    // MARK: - Answers

    /// The reading with HTML that is safe to show. An honest process has sanitised it already, and then one pass
    /// confirms that nothing changes.
    ///
    /// - Returns: nil for HTML beyond the limits of a page.
    private func sanitized(_ reading: PageReading, of request: ReaderRequest) -> PageReading? {
        guard let article = reading.article else { return reading }
        var budget = ParseBudget()
        budget.sourceBytes = options.limits.answerBytes
        // Without classes and menus an article has fewer bytes per node than its page, so only the number counts.
        budget.nodes = 2 * options.limits.nodes
        budget.freeNodes = budget.nodes
        let sanitizer = Sanitizer(base: WebAddress(request.url), budget: budget)
        var reading = reading
        do throws(ParseError) { reading.article?.content = try sanitizer.sanitize(article.content) } catch {
            return nil
        }
        return reading
    }

    // MARK: - Processes

    private func take() throws(Failure) -> Reader {
        while let reader = line.withLock({ $0.idle.popLast() }) {
            // A process that ended while it was idle is replaced.
            if reader.process.isQuiet { return reader }
            discard(reader.process)
        }
        return try start()
    }

    private func start() throws(Failure) -> Reader {
        let recipe = ConfinedProcess.LaunchOptions(
            executable: options.executable, arguments: ["lectern"] + options.arguments + options.limits.arguments)
        let process: ConfinedProcess
        do throws(ConfinedProcess.NotStarted) { process = try starter.start(recipe) } catch {
            throw .unavailable("A process that reads pages could not be started: \(error)")
        }
        line.withLock { $0.all[ObjectIdentifier(process)] = process }
        let greeting: ReaderGreeting
        do throws(ConfinedProcess.MessageError) {
            let deadline = SuspendingClock.now + Self.startTimeout
            guard let received = ReaderGreeting(try process.receive(atMost: 64, until: deadline)) else {
                throw .malformed
            }
            greeting = received
        } catch {
            let end = process.end(after: Self.endTimeout)
            forget(process)
            throw .unavailable("A process that reads pages \(end) before it was ready.")
        }
        reportIfUnfiltered(greeting)
        // The process may have been started while `stop` ended the others.
        if line.withLock({ $0.isStopped }) {
            discard(process)
            throw Self.stopping
        }
        return Reader(process: process)
    }

    private func reportIfUnfiltered(_ greeting: ReaderGreeting) {
        let isNew = line.withLock { line in
            defer { line.hasReportedUnfiltered = line.hasReportedUnfiltered || !greeting.isFiltered }
            return !greeting.isFiltered && !line.hasReportedUnfiltered
        }
        if isNew { reportUnfiltered() }
    }

    /// Returns a process after it has read a page.
    ///
    /// - Parameter bytes: the size of the page.
    private func put(back reader: Reader, after bytes: Int) {
        var reader = reader
        reader.pages += 1
        let used = reader
        let isKept =
            bytes < Self.largePage && used.pages < options.pagesPerProcess
            && line.withLock { line in
                if !line.isStopped { line.idle.append(used) }
                return !line.isStopped
            }
        if !isKept { discard(reader.process) }
    }

    private func discard(_ process: ConfinedProcess) {
        process.end()
        forget(process)
    }

    private func forget(_ process: ConfinedProcess) {
        line.withLock { _ = $0.all.removeValue(forKey: ObjectIdentifier(process)) }
    }

    // MARK: - Waiting for a process

    /// Waits until a process may run, in the order of arrival.
    private func enter() throws(Failure) {
        let ticket = line.withLock { line in
            line.issued += 1
            line.waiting.append(line.issued)
            return line.issued
        }
        while true {
            let (isIn, isStopped) = line.withLock { line in
                if line.isStopped { line.waiting.removeAll { $0 == ticket } }
                guard !line.isStopped, line.free > 0, line.waiting.first == ticket else {
                    return (false, line.isStopped)
                }
                line.waiting.removeFirst()
                line.free -= 1
                return (true, false)
            }
            if isStopped { throw Self.stopping }
            if isIn {
                // The next thread may have a free process as well.
                wakeUp.all()
                return
            }
            wakeUp.wait(milliseconds: 1_000) { [self] in
                line.withLock { $0.isStopped || $0.free > 0 && $0.waiting.first == ticket }
            }
        }
    }

    private func leave() {
        line.withLock { $0.free += 1 }
        wakeUp.all()
    }
}

extension ReaderRequest {
    /// The request for the plain text alone; nil where the request has no simpler form.
    fileprivate var asText: ReaderRequest? {
        switch kind {
        case .page: ReaderRequest(.text, url: url, html: html)
        case .markdown: ReaderRequest(.plainText, url: url, html: html)
        case .wholePage: ReaderRequest(.text, url: url, html: html)
        case .text, .plainText, .pdf, .epub: nil
        }
    }
}
