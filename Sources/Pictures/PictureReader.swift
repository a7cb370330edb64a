import Confinement
import PictureCoding

/// One confined process that reads pictures, started when first needed and anew whenever it ended. One thread's own, since the
/// process ends with the thread that started it.
final class PictureReader {
    private let program: String
    private let limits: PictureLimits
    private var process: ConfinedProcess?
    private var pictures = 0

    /// Pictures after which a process is replaced, and bytes of a file after which it is at once, rather than keep the memory it
    /// took.
    private static let mostOfOne = 50
    private static let largeFile = 2 << 20
    private static let patienceAtStart = Duration.seconds(20)
    private static let patienceAtEnd = Duration.seconds(2)

    init(program: String, limits: PictureLimits) {
        self.program = program
        self.limits = limits
    }

    /// Ends the process: there is nothing to do for a while.
    func rest() {
        process?.end()
        process = nil
    }

    /// Makes sure that it runs.
    func start() throws(PictureFailure) { _ = try running() }

    func read(_ bytes: [UInt8], for use: PictureUse) throws(PictureFailure) -> RecodedPicture {
        guard bytes.count <= limits.sourceBytes else { throw PictureFailure(.tooLarge) }
        let process = try running()
        let deadline = SuspendingClock.now + limits.patience
        let answer: PictureAnswer
        do throws(ConfinedProcess.MessageError) {
            try process.send(PictureRequest(use, bytes: bytes).message, until: deadline)
            guard let heard = PictureAnswer(try process.receive(atMost: limits.answerBytes, until: deadline)) else { throw .malformed }
            answer = heard
        } catch {
            throw failure(error, process)
        }
        pictures += 1
        if bytes.count >= Self.largeFile || pictures >= Self.mostOfOne { rest() }
        switch answer {
        case .picture(let picture): return picture
        case .refused(let why): throw PictureFailure(why)
        }
    }

    private func failure(_ silence: ConfinedProcess.MessageError, _ process: ConfinedProcess) -> PictureFailure {
        defer { rest() }
        switch silence {
        case .timedOut: return PictureFailure(.overBudget)
        case .malformed: return PictureFailure("reader_crashed", "Reading this picture went wrong.", isRetryable: false)
        case .closed:
            let end = process.end(after: Self.patienceAtEnd)
            if end == .outOfMemory || end == .outOfTime { return PictureFailure(.overBudget) }
            return PictureFailure("reader_crashed", "Reading this picture went wrong: its process \(end).", isRetryable: true)
        }
    }

    private func running() throws(PictureFailure) -> ConfinedProcess {
        if let process, process.isQuiet { return process }
        rest()
        let fresh: ConfinedProcess
        do throws(ConfinedProcess.NotStarted) {
            fresh = try ConfinedProcess(.init(executable: program, arguments: ["lectern-pictures"] + limits.arguments))
        } catch {
            throw unavailable("could not be started: \(error)")
        }
        do throws(ConfinedProcess.MessageError) {
            let heard = try fresh.receive(atMost: 64, until: SuspendingClock.now + Self.patienceAtStart)
            guard let greeting = PictureGreeting(heard) else { throw .malformed }
            // Decoders of strangers' pictures run behind the filter or not at all.
            guard greeting.isFiltered else { throw .closed }
        } catch {
            throw unavailable("\(fresh.end(after: Self.patienceAtEnd)) before it began, or cannot filter its system calls")
        }
        process = fresh
        pictures = 0
        return fresh
    }

    private func unavailable(_ what: String) -> PictureFailure {
        PictureFailure("reader", "The process that reads pictures \(what).", isRetryable: true, isOurs: true)
    }
}

extension PictureFailure {
    init(_ refusal: PictureRefusal) { self.init(refusal.rawValue, refusal.sentence, isRetryable: false) }
}
