import ArgumentParser
import Charsets
import Glibc
import HTTPFetch
import Links
import Synchronization
import Threads

/// `lectern resolve`: where URLs lead and what stands there, one JSON line each, in the order they were given.
struct ResolveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "resolve",
        abstract: "Follow URLs to their pages and print one JSON line for each.",
        discussion: "Tries each URL once, waits for no site's Retry-After, and needs neither home nor database.")

    @Option(help: "Private targets that may be reached: hosts, addresses, networks, each with an optional :port; commas between.")
    var allow: String = ""

    @Option(help: "URLs under way at once.")
    var jobs: Int = 8

    @Argument(help: "URLs; without any they are read from standard input, one a line.")
    var urls: [String] = []

    func validate() throws {
        guard (1...ResolveCommand.mostJobs).contains(jobs) else {
            throw ValidationError("--jobs is 1...\(ResolveCommand.mostJobs).")
        }
        do throws(AllowList.Malformed) { _ = try AllowList(allow) } catch { throw ValidationError("--allow: \(error)") }
    }

    func run() throws {
        var settings = FetchSettings()
        settings.rules = AddressRules(allowing: try AllowList(allow))
        settings.concurrentTransfers = jobs
        let work = ResolveWork(fetcher: Fetcher(settings), urls: urls.isEmpty ? nil : urls)
        work.run(threads: urls.isEmpty ? jobs : min(jobs, urls.count))
    }

    /// Each job is a thread that waits.
    private static let mostJobs = 256
}

/// The URLs and the threads that work them off.
private final class ResolveWork: Sendable {
    private struct Input {
        /// Nil: standard input.
        var urls: [String]?
        var taken = 0
    }

    private struct Output {
        var printed = 0
        /// Lines that wait for one before them.
        var waiting: [Int: String] = [:]
    }

    private let fetcher: Fetcher
    private let input: Mutex<Input>
    private let output = Mutex(Output())

    init(fetcher: Fetcher, urls: [String]?) {
        self.fetcher = fetcher
        input = Mutex(Input(urls: urls))
    }

    /// Returns when every URL has its line.
    func run(threads count: Int) {
        let threads = (0..<count).compactMap { _ in Thread(signals: .inherited) { [self] in takeTurns() } }
        if threads.isEmpty { takeTurns() }
        threads.forEach { $0.join() }
    }

    private func takeTurns() {
        while let (index, url) = next() {
            let row: ResolveRow
            do throws(FetchError) {
                row = ResolveRow(url: url, page: try fetcher.fetch(url))
            } catch {
                row = ResolveRow(url: url, error: error)
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
                exit(1)  // whoever read us has gone
            }
            bytes = bytes.dropFirst(count)
        }
    }
}
