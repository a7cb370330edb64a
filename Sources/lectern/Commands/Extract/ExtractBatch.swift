import Glibc
import HTML
import JSON
import Readability
import Synchronization
import Threads

/// The batch form of `lectern extract`: each thread reads the next line, extracts its page and prints the result at
/// once. Memory holds one line per thread at most.
struct ExtractBatch: Sendable {
    let extraction: Extraction
    /// Whether results have a member `markdown`.
    let withMarkdown: Bool
    /// Whether results have a member `explanation`.
    var explains = false

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
        let input = Mutex(LineReader(maxBytes: ExtractRequest.maxLineBytes))
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
                let result = result(for: line)
                try shared.output.withLock { progress throws(StreamError) in
                    try StandardStreams.write(result)
                    progress.answered(place)
                }
            }
        } catch {
            shared.failure.withLock { $0 = $0 ?? error }
        }
    }

    /// The output line for an input line.
    private func result(for line: LineReader.Line) -> [UInt8] {
        do {
            let request = try ExtractRequest(line)
            let document: Document
            do { document = try Document(parsing: request.html) } catch {
                return self.line(request.id, [.init("error", .string(ExtractCommand.overBudget))])
            }
            let outcome: ExtractionOutcome
            var more: [JSON.Member] = []
            if explains {
                let said = extraction.explain(document, url: request.url)
                outcome = said.outcome
                more.append(.init("explanation", said.explanation.json()))
            } else {
                outcome = extraction.outcome(of: document, url: request.url)
            }
            if let reason = ExtractCommand.reason(outcome) { more.append(.init("reason", .string(reason))) }
            guard let article = outcome.article else {
                return self.line(request.id, [.init("article", .null)] + more)
            }
            let markdown = withMarkdown ? [JSON.Member("markdown", .string(ExtractCommand.markdown(article)))] : []
            return self.line(request.id, article.members + markdown + more)
        } catch {
            return self.line(error.id, [.init("error", .string(error.reason))])
        }
    }

    private func line(_ id: JSONSlice, _ members: [JSON.Member]) -> [UInt8] {
        // The opening brace of the members is replaced by one that starts with the id.
        Array("{\"id\":\(id.text),".utf8) + JSON.object(members).bytes.dropFirst() + [0x0A]
    }
}

/// The progress bar of a batch; nothing is shown when the results go to the terminal too.
private struct ExtractProgress {
    private var bar: ProgressBar?

    init() {
        // Only a regular file has a known size.
        var input = stat()
        guard isatty(STDOUT_FILENO) == 0, fstat(STDIN_FILENO, &input) == 0, input.st_mode & S_IFMT == S_IFREG else {
            return
        }
        bar = ProgressBar("extracted", total: input.st_size)
    }

    /// - Parameter place: offset in the input, in bytes, after the line of the result.
    mutating func answered(_ place: Int) { bar?.show(place) }

    func clear() { bar?.clear() }
}
