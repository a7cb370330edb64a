import Confinement
import Glibc
import Readability
import ReaderProcess
import Synchronization
import Threads

/// Reads pages in processes of their own, which know nothing and can do nothing but read: a page that makes one allocate,
/// spin, crash or worse takes that process down and nothing else. All of them together take so many times the memory of one
/// and no more.
///
/// A thread that wants a page read waits for its turn, takes an idle process or starts one, and gives it back. Where a page
/// comes to a limit, another process makes plain text of it.
final class ReaderPool: Sendable {
    struct Options: Sendable {
        var limits = ReaderLimits()
        /// Processes at once.
        var count = 1
        var executable: String
        /// In front of the limits.
        var arguments: [String] = []
        /// Until a process that says nothing is given up; nil: as the limits have it.
        var patience: Duration?

        /// The program for PDF files, which lies in the folder of this one. Nil where it is missing.
        static var pdfExecutable: String? {
            guard let program = OwnProgram.sibling("lectern-pdf") else { return nil }
            return access(program, X_OK) == 0 ? program : nil
        }
    }

    enum SaveOutcome: Sendable {
        case read(PageReading)
        /// The page came to a limit; its plain text, unless that did as well.
        case overBudget(PageReading?)
    }

    enum Failure: Error {
        /// No process to read with; the page is not to blame.
        case unavailable(String)
        /// The process came to an end, or to its wits' end, over the page, and not by a limit.
        case crashed(String)
    }

    /// Pages after which a process is replaced: a guard against what may gather in it.
    private static let pagesOfOne = 100
    /// Bytes of a page after which it is replaced at once, rather than keep the memory it took.
    private static let largePage = 1 << 20
    /// A process starts in some hundredths of a second; a machine under load may take its time.
    private static let patienceAtStart = Duration.seconds(20)
    /// How long one whose socket is closed may take to end: its memory is taken down first.
    private static let patienceAtEnd = Duration.seconds(2)

    private let options: Options
    private let starter = ProcessStarter()
    private let line: Mutex<Line>
    private let wakeUp = WakeUp()
    private let reportUnfiltered: @Sendable () -> Void

    /// Who waits for a place, and what is idle.
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

    /// - Parameter reportUnfiltered: called once, when processes turn out to run without a filter of system calls.
    init(_ options: Options, reportUnfiltered: @escaping @Sendable () -> Void = {}) {
        self.options = options
        self.reportUnfiltered = reportUnfiltered
        line = Mutex(Line(free: options.count))
    }

    /// Ends all processes. Pages that are being read then, or wait to be, fail as unavailable.
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

    /// - Parameter request: made when it is this page's turn, so that only those being read lie there twice.
    func read(_ request: () -> ReaderRequest) throws(Failure) -> SaveOutcome {
        try enter()
        defer { leave() }
        let request = request()
        let reader = try take()
        switch ask(reader, request) {
        case .answered(.read(let reading)):
            put(back: reader, after: request.html.count)
            return .read(reading)
        case .answered(.overBudget): return .overBudget(try text(of: request, by: reader))
        case .limit: return .overBudget(request.asText == nil ? nil : try text(of: request, by: try start()))
        case .crash(let how): throw failure(how)
        }
    }

    func read(_ page: String, url: String) throws(Failure) -> SaveOutcome {
        try read { ReaderRequest(.page, url: url, html: Array(page.utf8)) }
    }

    /// - Returns: nil when even this is too much, or there is no such thing.
    private func text(of request: ReaderRequest, by reader: Reader) throws(Failure) -> PageReading? {
        guard let asText = request.asText else {
            put(back: reader, after: request.html.count)
            return nil
        }
        switch ask(reader, asText) {
        case .answered(let answer):
            put(back: reader, after: request.html.count)
            if case .read(let reading) = answer { return reading }
            return nil
        case .limit: return nil
        case .crash(let how): throw failure(how)
        }
    }

    /// A process that we ended ourselves did not crash over its page.
    private func failure(_ how: String) -> Failure {
        line.withLock { $0.isStopped } ? .unavailable("The service stops.") : .crashed(how)
    }

    // MARK: - One question

    private enum Ending {
        case answered(ReaderResponse)
        /// There is no answer, and the process is gone: by a limit, or otherwise.
        case limit
        case crash(String)
    }

    private func ask(_ reader: Reader, _ request: ReaderRequest) -> Ending {
        let process = reader.process
        let deadline = SuspendingClock.now + (options.patience ?? options.limits.patience)
        do throws(ConfinedProcess.MessageError) {
            try process.send(request.message, until: deadline)
            let message = try process.receive(atMost: options.limits.answerBytes, until: deadline)
            guard let answer = ReaderResponse(message) else { throw .malformed }
            return .answered(answer)
        } catch {
            defer { discard(process) }
            switch error {
            case .timedOut: return .limit
            case .malformed: return .crash("said what is no answer")
            case .closed:
                let end = process.end(after: Self.patienceAtEnd)
                return end == .outOfMemory || end == .outOfTime ? .limit : .crash(end.description)
            }
        }
    }

    // MARK: - Processes

    private func take() throws(Failure) -> Reader {
        while let reader = line.withLock({ $0.idle.popLast() }) {
            // One that ended while it had nothing to do did so for no page.
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
            throw .unavailable("A process to read pages could not be started: \(error)")
        }
        line.withLock { $0.all[ObjectIdentifier(process)] = process }
        let greeting: ReaderGreeting
        do throws(ConfinedProcess.MessageError) {
            let deadline = SuspendingClock.now + Self.patienceAtStart
            guard let heard = ReaderGreeting(try process.receive(atMost: 64, until: deadline)) else { throw .malformed }
            greeting = heard
        } catch {
            let end = process.end(after: Self.patienceAtEnd)
            forget(process)
            throw .unavailable("A process to read pages \(end) before it began.")
        }
        note(greeting)
        // It may have been started while all were ended.
        if line.withLock({ $0.isStopped }) {
            discard(process)
            throw .unavailable("The service stops.")
        }
        return Reader(process: process)
    }

    private func note(_ greeting: ReaderGreeting) {
        let isNews = line.withLock { line in
            defer { line.hasReportedUnfiltered = line.hasReportedUnfiltered || !greeting.isFiltered }
            return !greeting.isFiltered && !line.hasReportedUnfiltered
        }
        if isNews { reportUnfiltered() }
    }

    /// - Parameter bytes: of the page it has read.
    private func put(back reader: Reader, after bytes: Int) {
        var reader = reader
        reader.pages += 1
        let used = reader
        let isKept = bytes < Self.largePage && used.pages < Self.pagesOfOne
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

    // MARK: - Turns

    /// Waits for a place, first come, first served.
    private func enter() throws(Failure) {
        let ticket = line.withLock { line in
            line.issued += 1
            line.waiting.append(line.issued)
            return line.issued
        }
        while true {
            let (isIn, isStopped) = line.withLock { line in
                if line.isStopped { line.waiting.removeAll { $0 == ticket } }
                guard !line.isStopped, line.free > 0, line.waiting.first == ticket else { return (false, line.isStopped) }
                line.waiting.removeFirst()
                line.free -= 1
                return (true, false)
            }
            if isStopped { throw .unavailable("The service stops.") }
            if isIn {
                // The next in line may have a place too.
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
    /// The same with less asked of it; nil where there is no less.
    fileprivate var asText: ReaderRequest? {
        switch kind {
        case .page: ReaderRequest(.text, url: url, html: html)
        case .markdown: ReaderRequest(.plainText, url: url, html: html)
        case .text, .plainText, .pdf: nil
        }
    }
}
