import Confinement
import PictureMessages

/// One confined process that reads pictures. It is started when first needed, and restarted when it has ended. Each
/// thread owns one, since the process ends with the thread that started it.
final class PictureReader {
    private let program: String
    private let limits: PictureLimits
    /// Whether the process opens fonts, which a cover needs.
    private let drawsCovers: Bool
    private let rest: Duration
    private var process: ConfinedProcess?
    private var pictures = 0
    private var lastUse = ContinuousClock.now

    /// Pictures after which the process is replaced.
    private static let picturesPerProcess = 50
    /// Bytes of a file after which the process is replaced at once, to release its memory.
    private static let largeFile = 2 << 20
    private static let startTimeout = Duration.seconds(20)
    private static let endTimeout = Duration.seconds(2)

    /// - Parameter rest: how long `endIdleProcess` keeps a process that is not used. A process takes 0.2 s of processor
    ///   time to start, and links are often saved one after another.
    init(program: String, limits: PictureLimits, drawsCovers: Bool = false, rest: Duration = .seconds(10)) {
        self.program = program
        self.limits = limits
        self.drawsCovers = drawsCovers
        self.rest = rest
    }

    /// Ends the process, if there is one. It is started again when it is needed.
    func endProcess() {
        process?.end()
        process = nil
    }

    /// Ends the process if it has not been used for a while.
    ///
    /// - Returns: the milliseconds after which this is to be called again; nil: no process runs.
    func endIdleProcess() -> Int? {
        guard process != nil else { return nil }
        let left = rest - (ContinuousClock.now - lastUse)
        guard left > .zero else {
            endProcess()
            return nil
        }
        return Int(left / .milliseconds(1)) + 1
    }

    /// Starts the process unless it runs.
    func start() throws(PictureFailure) {
        defer { lastUse = .now }
        _ = try running()
    }

    func read(_ bytes: [UInt8], for use: PictureUse) throws(PictureFailure) -> RecodedPicture {
        defer { lastUse = .now }
        guard bytes.count <= limits.sourceBytes else { throw PictureFailure(.tooLarge) }
        let process = try running()
        let deadline = SuspendingClock.now + limits.responseTimeout
        let answer: PictureAnswer
        do throws(ConfinedProcess.MessageError) {
            try process.send(PictureRequest(use, bytes: bytes).message, until: deadline)
            let message = try process.receive(atMost: limits.answerBytes, until: deadline)
            guard let parsed = PictureAnswer(message, for: use) else { throw .malformed }
            answer = parsed
        } catch {
            throw failure(error, process)
        }
        pictures += 1
        if bytes.count >= Self.largeFile || pictures >= Self.picturesPerProcess { endProcess() }
        switch answer {
        case .picture(let picture): return picture
        case .refused(let why): throw PictureFailure(why)
        }
    }

    private func failure(_ silence: ConfinedProcess.MessageError, _ process: ConfinedProcess) -> PictureFailure {
        defer { endProcess() }
        switch silence {
        case .timedOut: return PictureFailure(.overBudget)
        case .malformed: return PictureFailure("reader_crashed", "This picture could not be read.", isRetryable: false)
        case .closed:
            let end = process.end(after: Self.endTimeout)
            if end == .outOfMemory || end == .outOfTime { return PictureFailure(.overBudget) }
            return PictureFailure(
                "reader_crashed", "This picture could not be read: its process \(end).", isRetryable: true)
        }
    }

    private func running() throws(PictureFailure) -> ConfinedProcess {
        if let process, process.isQuiet { return process }
        endProcess()
        let fresh: ConfinedProcess
        do throws(ConfinedProcess.NotStarted) {
            let words = ["lectern-pictures"] + (drawsCovers ? [PictureUse.cover.rawValue] : []) + limits.arguments
            fresh = try ConfinedProcess(.init(executable: program, arguments: words))
        } catch {
            throw unavailable("could not be started: \(error)")
        }
        do throws(ConfinedProcess.MessageError) {
            let message = try fresh.receive(atMost: 64, until: SuspendingClock.now + Self.startTimeout)
            guard let greeting = PictureGreeting(message) else { throw .malformed }
            // Untrusted pictures are never decoded without the system call filter.
            guard greeting.isFiltered else { throw .closed }
        } catch {
            throw unavailable(
                "\(fresh.end(after: Self.endTimeout)) before it was ready, or cannot filter its system calls")
        }
        process = fresh
        pictures = 0
        return fresh
    }

    private func unavailable(_ what: String) -> PictureFailure {
        PictureFailure("reader", "The process that reads pictures \(what).", isRetryable: true, isServerFailure: true)
    }
}

extension PictureFailure {
    init(_ refusal: PictureRefusal) { self.init(refusal.rawValue, refusal.sentence, isRetryable: false) }
}
