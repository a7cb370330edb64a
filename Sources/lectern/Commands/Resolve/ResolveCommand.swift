import ArgumentParser
import Charsets
import Confinement
import Glibc
import HTTPFetch
import Links
import Synchronization
import Threads

/// `lectern resolve`: resolves URLs and prints one JSON line for each, in input order.
struct ResolveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Follow URLs to their pages and print one JSON line for each.",
        discussion: "Tries each URL once, does not wait for Retry-After, and needs neither a home nor a database.")

    @Option(
        help:
            "Private targets that may be reached: comma list of hosts, addresses and networks, each with an optional :port."
    )
    var allow: String = ""

    @Option(help: "Number of URLs resolved at once (1 to 256).")
    var jobs: Int = 8

    @Argument(help: "URLs; without any, they are read from standard input, one per line.")
    var urls: [String] = []

    func validate() throws {
        guard (1...ResolveCommand.maxJobs).contains(jobs) else {
            throw ValidationError("--jobs takes a number from 1 to \(ResolveCommand.maxJobs).")
        }
        do throws(AllowList.Malformed) { _ = try AllowList(allow) } catch { throw ValidationError("--allow: \(error)") }
    }

    func run() throws {
        var settings = FetchSettings()
        settings.rules = AddressRules(allowing: try AllowList(allow))
        settings.concurrentTransfers = jobs
        // Many large pages arrive at once.
        AllocatorTuning.returnLargeBlocks()
        let work = ResolveWork(fetcher: Fetcher(settings), urls: urls.isEmpty ? nil : urls)
        work.run(threads: urls.isEmpty ? jobs : min(jobs, urls.count))
    }

    /// Each job is a blocking thread.
    private static let maxJobs = 256
}

/// The URLs and the threads that resolve them.
private final class ResolveWork: Sendable {
    private struct Input {
        /// Nil: read standard input.
        var urls: [String]?
        var taken = 0
    }

    private struct Output {
        var printed = 0
        /// Finished lines that wait for an earlier one.
        var waiting: [Int: String] = [:]
    }

    private let fetcher: Fetcher
    private let input: Mutex<Input>
    private let output = Mutex(Output())
    /// Limits how many pages exist as text and tree at the same time: a page of some MB takes ten times its size then.
    private let parsing = CountingSemaphore(Processors.count)

    init(fetcher: Fetcher, urls: [String]?) {
        self.fetcher = fetcher
        input = Mutex(Input(urls: urls))
    }

    /// Returns when every URL has been printed.
    func run(threads count: Int) {
        let threads = (0..<count).compactMap { _ in Thread(signals: .inherited) { [self] in resolveAll() } }
        if threads.isEmpty { resolveAll() }
        threads.forEach { $0.join() }
    }

    private func resolveAll() {
        while let (index, url) = next() {
            let row: ResolveRow
            do throws(FetchError) {
                let page = try fetcher.fetch(url)
                row = parsing.withPermit { ResolveRow(url: url, page: page) }
            } catch {
                row = parsing.withPermit { ResolveRow(url: url, error: error) }
            }
            print(row.json, at: index)
        }
    }

    private func next() -> (Int, String)? {
        input.withLock { input in
            defer { input.taken += 1 }
            guard let urls = input.urls else { return readLine().map { (input.taken, $0) } }
            return input.taken < urls.count ? (input.taken, urls[input.taken]) : nil
        }
    }

    private func print(_ line: String, at index: Int) {
        output.withLock { output in
            output.waiting[index] = line
            while let line = output.waiting.removeValue(forKey: output.printed) {
                output.printed += 1
                writeOut(line + "\n")
            }
        }
    }

    private func writeOut(_ text: String) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(STDOUT_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 else {
                if errno == EINTR { continue }
                exit(1)  // The reader of standard output is gone.
            }
            bytes = bytes.dropFirst(count)
        }
    }
}
