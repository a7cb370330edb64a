import Glibc
import HTML
import Readability
import Synchronization

/// The batch form of `lectern extract`: every thread takes the next line, answers it, and writes the answer at once. No
/// more lines are in memory than there are threads.
struct ExtractBatch: Sendable {
    let extraction: Extraction

    func run(threads: Int) throws {
        let shared = Shared()
        if threads == 1 {
            work(on: shared)
        } else {
            let others = (1..<threads).compactMap { _ in WorkerThread { work(on: shared) } }
            work(on: shared)
            others.forEach { $0.join() }
        }
        if let failure = shared.failure.withLock({ $0 }) { throw failure }
    }

    private final class Shared: Sendable {
        let input = Mutex(LineReader())
        let output = Mutex(())
        let failure = Mutex<StreamError?>(nil)
    }

    private func work(on shared: Shared) {
        do {
            while let line = try shared.input.withLock({ try $0.next() }) {
                guard let answer = answer(line) else { continue }
                try shared.output.withLock { _ in try StandardStreams.write(answer + [0x0A]) }
            }
        } catch let error as StreamError {
            shared.failure.withLock { $0 = error }
        } catch {
            shared.failure.withLock { $0 = .unreadable(code: 0) }
        }
    }

    /// nil for an empty line.
    private func answer(_ line: [UInt8]) -> [UInt8]? {
        if line.allSatisfy(WhiteSpace.isASCII) { return nil }
        guard let request = JSON(parsing: line) else { return failure(id: .null, "the line is not JSON") }
        let id = request["id"] ?? .null
        guard let html = request["html"]?.string else { return failure(id: id, "the line has no html") }
        let url = request["url"]?.string ?? ""
        do {
            guard let article = extraction.article(in: try Document(parsing: html), url: url) else {
                return JSON.object([.init("id", id), .init("article", .null)]).bytes
            }
            return JSON.object([.init("id", id)] + article.members).bytes
        } catch {
            return failure(id: id, "over_budget")
        }
    }

    private func failure(id: JSON, _ reason: String) -> [UInt8] {
        JSON.object([.init("id", id), .init("error", .string(reason))]).bytes
    }
}

/// A thread that runs one closure; made of pthreads, as extraction is plain blocking work.
private struct WorkerThread {
    private let handle: pthread_t

    /// nil when the system gives no more threads; the others then do the work.
    init?(_ work: @escaping @Sendable () -> Void) {
        var handle = pthread_t()
        let box = Unmanaged.passRetained(Box(work))
        let status = pthread_create(
            &handle, nil,
            { context in
                // The context is the box retained above; a thread is never started without it.
                if let context { Unmanaged<Box>.fromOpaque(context).takeRetainedValue().work() }
                return nil
            }, box.toOpaque())
        guard status == 0 else {
            box.release()
            return nil
        }
        self.handle = handle
    }

    func join() { pthread_join(handle, nil) }

    private final class Box: Sendable {
        let work: @Sendable () -> Void
        init(_ work: @escaping @Sendable () -> Void) { self.work = work }
    }
}
