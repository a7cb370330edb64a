import Glibc
import HTML
import Readability
import Synchronization
import Threads

/// The batch form of `lectern extract`: every thread takes the next line, answers it, and writes the answer at once. No
/// more lines are in memory than there are threads.
struct ExtractBatch: Sendable {
    let extraction: Extraction
    /// Whether answers have a member `markdown`.
    let withMarkdown: Bool

    /// The stack of a main thread by default.
    private static let stackBytes = 8 << 20

    func run(threads: Int) throws {
        let shared = Shared()
        defer { shared.output.withLock { $0.clear() } }
        // Where the system refuses a thread, the others do its work.
        let others = (1..<threads).compactMap { _ in
            Thread(stackBytes: Self.stackBytes, signals: .inherited) { work(on: shared) }
        }
        work(on: shared)
        others.forEach { $0.join() }
        if let failure = shared.failure.withLock({ $0 }) { throw failure }
    }

    private final class Shared: Sendable {
        let input = Mutex(LineReader(longest: ExtractRequest.longestLine))
        let output = Mutex(ExtractProgress())
        let failure = Mutex<StreamError?>(nil)
    }

    private func work(on shared: Shared) {
        do throws(StreamError) {
            while true {
                let (line, place) = try shared.input.withLock { input throws(StreamError) in
                    (try input.next(), input.consumed)
                }
                guard let line else { return }
                let answer = answer(line)
                try shared.output.withLock { progress throws(StreamError) in
                    try StandardStreams.write(answer)
                    progress.answered(place)
                }
            }
        } catch {
            shared.failure.withLock { $0 = $0 ?? error }
        }
    }

    /// A line for the line.
    private func answer(_ line: LineReader.Line) -> [UInt8] {
        do {
            let request = try ExtractRequest(line)
            let document: Document
            do { document = try Document(parsing: request.html) } catch {
                return self.line(request.id, [.init("error", .string(ExtractCommand.overBudget))])
            }
            let outcome = extraction.outcome(of: document, url: request.url)
            let reason = ExtractCommand.reason(outcome).map { [JSON.Member("reason", .string($0))] } ?? []
            guard let article = outcome.article else {
                return self.line(request.id, [.init("article", .null)] + reason)
            }
            let markdown = withMarkdown ? [JSON.Member("markdown", .string(ExtractCommand.markdown(article)))] : []
            return self.line(request.id, article.members + markdown + reason)
        } catch {
            return self.line(error.id, [.init("error", .string(error.reason))])
        }
    }

    private func line(_ id: JSONSlice, _ members: [JSON.Member]) -> [UInt8] {
        // The members' own brace gives way to the id's.
        Array("{\"id\":\(id.text),".utf8) + JSON.object(members).bytes.dropFirst() + [0x0A]
    }
}

/// How far a batch has come, told beside its answers; nothing where it would stand between them.
private struct ExtractProgress {
    private var bar: ProgressBar?

    init() {
        // How much a pipe will bring nobody knows.
        var input = stat()
        guard isatty(STDOUT_FILENO) == 0, fstat(STDIN_FILENO, &input) == 0, input.st_mode & S_IFMT == S_IFREG else { return }
        bar = ProgressBar("extracted", total: input.st_size)
    }

    /// - Parameter place: bytes of the input up to the end of the line that was answered.
    mutating func answered(_ place: Int) { bar?.show(place) }

    func clear() { bar?.clear() }
}
