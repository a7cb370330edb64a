import Glibc
import Jobs
import Readability
import ReaderProcess
import Testing
import Threads

@testable import Saving

@Suite("Saving / reading processes", .timeLimit(.minutes(10)))
struct ReadingProcessesTests {
    private func page(_ act: String) -> String { "do: \(act) <title>T</title><p>left &lt; over" }

    private static let usual = "<title>Usual</title><p>A page like others.</p>"

    /// The result of a process, in one word or number.
    private func outcome(_ processes: ReaderPool, _ html: String) -> String {
        do throws(ReaderPool.Failure) {
            switch try processes.read(html, url: "http://x.test/") {
            case .read(let reading): return reading.metadata.title ?? "untitled"
            case .overBudget(let text): return "over budget: \(text?.article?.textContent ?? "nothing")"
            }
        } catch {
            switch error {
            case .crashed(let how): return "crashed: \(how)"
            case .unavailable(let why): return "unavailable: \(why)"
            }
        }
    }

    // MARK: - What goes well

    @Test("a page is read in a process as it is in this one")
    func same() throws {
        let processes = UnrulyReader.processes()
        defer { processes.stop() }
        let paragraph = "<p>\(String(repeating: "A sentence with words, and some more of them. ", count: 8))</p>"
        let html = """
            <html lang=de dir=ltr><head><title>Ein Titel</title><meta name=description content="&amp; so"><meta property=og:url content=/me>
            <meta name=author content=Ann></head><body><article>\(String(repeating: paragraph, count: 6))</article>
            """
        let here = try PageReader().read(html, url: "http://x.test/a")
        #expect(here.article != nil)
        guard case .read(let there) = try processes.read(html, url: "http://x.test/a") else {
            Issue.record("over budget")
            return
        }
        #expect(there == here)
    }

    @Test("one process reads many pages, and is replaced after a large one")
    func kept() throws {
        var limits = Self.marked(4_001)
        // Raised, since this test is not about it.
        limits.seconds = 60
        let processes = UnrulyReader.processes(limits: limits)
        defer { processes.stop() }
        #expect(outcome(processes, Self.usual) == "Usual")
        let first = Self.running(4_001)
        #expect(outcome(processes, Self.usual) == "Usual")
        #expect(first.count == 1 && Self.running(4_001) == first)
        #expect(outcome(processes, Self.usual + String(repeating: " ", count: 1 << 20)) == "Usual")
        #expect(Self.running(4_001).isEmpty)
    }

    // MARK: - Processes that a page has taken over

    @Test("the HTML of an answer is sanitised again")
    func sanitized() throws {
        let processes = UnrulyReader.processes()
        defer { processes.stop() }
        guard case .read(let reading) = try processes.read(page("attack"), url: "http://x.test/") else {
            Issue.record("over budget")
            return
        }
        let content = try #require(reading.article?.content)
        #expect(content.contains("Words") && content.contains(#"<a href="http://x.test/more""#), "\(content)")
        for attack in ["alert", "onclick", "script", "iframe"] { #expect(!content.contains(attack), "\(content)") }
    }

    @Test("each PDF file gets a process of its own")
    func onePDF() throws {
        let options = try #require(ReaderPool.Options.pdf(Self.marked(4_007)))
        let processes = ReaderPool(options)
        defer { processes.stop() }
        for _ in 0..<2 {
            // Not a PDF file: poppler says so, and the process survives.
            let outcome = try processes.read {
                ReaderRequest(.pdf, url: "http://x.test/a.pdf", html: Array("%PDF".utf8))
            }
            guard case .read(let reading) = outcome else {
                Issue.record("over budget")
                return
            }
            #expect(reading.interstitial == .damagedFile)
            #expect(Self.running(4_007).isEmpty)
        }
    }

    // MARK: - Limits

    @Test("a page that exceeds a limit becomes plain text", arguments: ["allocate", "spin"])
    func limits(act: String) {
        let processes = UnrulyReader.processes()
        defer { processes.stop() }
        #expect(outcome(processes, page(act)) == "over budget: do: \(act)\nleft < over")
        #expect(outcome(processes, Self.usual) == "Usual")
    }

    @Test("a process that does not answer is given up")
    func silent() async {
        // The same holds for the process that extracts the plain text.
        let processes = UnrulyReader.processes(timeout: .seconds(5))
        defer { processes.stop() }
        let said = await onThread { outcome(processes, page("wait")) }
        #expect(said == "over budget: do: wait\nleft < over")
    }

    @Test("where the plain text exceeds a limit as well, there is none", arguments: ["allocate always", "spin always"])
    func noText(act: String) {
        let processes = UnrulyReader.processes()
        defer { processes.stop() }
        #expect(outcome(processes, page(act)) == "over budget: nothing")
    }

    @Test("pages with too many nodes or bytes become plain text in the same process")
    func tooMuch() {
        var limits = Self.marked(4_002)
        // Raised, since this test is not about it.
        limits.seconds = 60
        let processes = UnrulyReader.processes(limits: limits)
        defer { processes.stop() }
        #expect(outcome(processes, Self.usual) == "Usual")
        let before = Self.running(4_002)
        #expect(outcome(processes, String(repeating: "<b>x</b>", count: 3_000)).hasPrefix("over budget: xxx"))
        #expect(Self.running(4_002) == before)
        #expect(outcome(processes, String(repeating: "x", count: 2_100_000)).hasPrefix("over budget: xxx"))
    }

    @Test("shared and mapped memory counts like any other")
    func mapped() throws {
        let processes = UnrulyReader.processes()
        defer { processes.stop() }
        let megabytes = try #require(Int(outcome(processes, page("map"))))
        #expect((32...96).contains(megabytes))
    }

    // MARK: - Crashes

    @Test(
        "whatever else ends a process is told, and the next page gets another",
        arguments: [
            ("trap", "was killed by signal"), ("abort", "was killed by signal 6"),
            ("overrun", "was killed by signal 11"),
            ("leave", "exited with status 0"), ("close", "was ended"), ("rubbish", "sent an invalid message"),
            ("babble", "sent an invalid message"), ("boast", "sent an invalid message"),
        ])
    func crashes(act: String, how: String) {
        let processes = UnrulyReader.processes()
        defer { processes.stop() }
        let crash = outcome(processes, page(act))
        #expect(crash.hasPrefix("crashed: \(how)"), "\(crash)")
        #expect(outcome(processes, Self.usual) == "Usual")
    }

    @Test(
        "a process that asks for processes, programs or sockets is ended",
        arguments: ["fork", "exec", "thread", "socket", "kill"])
    func forbidden(act: String) {
        let processes = UnrulyReader.processes()
        defer { processes.stop() }
        #expect(outcome(processes, page(act)) == "crashed: was killed for a forbidden system call")
    }

    @Test("files, descriptors and code are refused", arguments: ["open", "descriptors", "code"])
    func refused(act: String) {
        let processes = UnrulyReader.processes()
        defer { processes.stop() }
        #expect(outcome(processes, page(act)) == "refused")
    }

    @Test("a process has neither the environment nor the open files of the service")
    func bare() throws {
        let processes = UnrulyReader.processes(limits: Self.marked(4_003))
        defer { processes.stop() }
        setenv("LECTERN_SECRET_OF_A_TEST", "x", 1)
        #expect(outcome(processes, page("environment")) == "none")
        let pid = try #require(Self.running(4_003).first)
        #expect(Self.entries("/proc/\(pid)/fd").sorted() == ["0", "1", "2"])
        #expect(Self.text("/proc/\(pid)/environ").isEmpty)
        #expect(Self.text("/proc/\(pid)/status").contains("Seccomp:\t2"))
    }

    @Test("a process that ends while it is idle fails no page")
    func idle() throws {
        let processes = UnrulyReader.processes(limits: Self.marked(4_004))
        defer { processes.stop() }
        #expect(outcome(processes, Self.usual) == "Usual")
        let pid = try #require(Self.running(4_004).first)
        kill(pid, SIGKILL)
        while !Self.text("/proc/\(pid)/status").contains("State:\tZ") { usleep(1_000) }
        #expect(outcome(processes, Self.usual) == "Usual")
    }

    @Test("when the pool stops, waiting and running pages fail as unavailable, and no process remains")
    func stop() async {
        let processes = UnrulyReader.processes(2, limits: Self.marked(4_005))
        await withTaskGroup(of: String.self) { group in
            for _ in 0..<4 { group.addTask { await onThread { outcome(processes, page("wait")) } } }
            // Not `usleep`: the children may need this thread to start.
            while Self.running(4_005).count < 2 { try? await Task.sleep(for: .milliseconds(1)) }
            try? await Task.sleep(for: .milliseconds(200))
            processes.stop()
            for await outcome in group { #expect(outcome.hasPrefix("unavailable: "), "\(outcome)") }
        }
        #expect(Self.running(4_005).isEmpty)
        #expect(outcome(processes, Self.usual).hasPrefix("unavailable: "))
    }

    // MARK: - Many

    @Test("eight threads share two processes, and failed pages leak no memory and no process")
    func many() async {
        var limits = Self.marked(4_006)
        limits.memoryBytes = 32 << 20
        let processes = UnrulyReader.processes(2, limits: limits)
        _ = await misbehave(threads: 8, pages: 5, processes)
        let before = Self.residentMegabytes
        let peak = await misbehave(threads: 8, pages: Self.isLongRun ? 25 : 6, processes)
        let growth = Self.residentMegabytes - before
        // Memory of other tests in this process counts as well; the leaked pages would be gigabytes.
        #expect(growth < 256, "\(growth) MB")
        #expect((1...2).contains(peak))
        processes.stop()
        #expect(Self.running(4_006).isEmpty)
    }

    /// - Returns: the largest number of processes at the same time.
    private func misbehave(threads: Int, pages: Int, _ processes: ReaderPool) async -> Int {
        let acts = ["allocate", "trap", "rubbish", "leave", "boast", "fork", "abort", "socket", "overrun", "babble"]
        return await withTaskGroup(of: Int.self) { group in
            for thread in 0..<threads {
                group.addTask {
                    await onThread {
                        var peak = 0
                        for number in 0..<pages {
                            let act = acts[(thread + number) % acts.count]
                            let answer = outcome(processes, page(act))
                            #expect(
                                answer.hasPrefix(act == "allocate" ? "over budget: do:" : "crashed: "),
                                "\(act): \(answer)")
                            #expect(outcome(processes, Self.usual) == "Usual")
                            peak = max(peak, Self.running(4_006).count)
                        }
                        return peak
                    }
                }
            }
            return await group.reduce(0, max)
        }
    }

    // MARK: - Hands

    /// Set by `deploy/test --long`.
    private static let isLongRun = getenv("LECTERN_TEST_LONG") != nil

    /// Limits that mark the processes of one test.
    private static func marked(_ mark: Int) -> ReaderLimits {
        var limits = UnrulyReader.limits()
        limits.nodes = mark
        return limits
    }

    /// The living child processes with this mark.
    private static func running(_ mark: Int) -> [Int32] {
        entries("/proc").compactMap { Int32($0) }.filter { pid in
            let status = text("/proc/\(pid)/status")
            return status.contains("PPid:\t\(getpid())\n") && !status.contains("State:\tZ")
                && text("/proc/\(pid)/cmdline").contains("\0nodes=\(mark)\0")
        }
    }

    private static var residentMegabytes: Int {
        let line = text("/proc/self/status").split(separator: "\n").first { $0.hasPrefix("VmRSS:") } ?? ""
        return (Int(line.filter(\.isNumber)) ?? 0) / 1_024
    }

    private static func entries(_ folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            names.append(
                withUnsafePointer(to: &entry.pointee.d_name) {
                    $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
                })
        }
        return names.filter { !$0.hasPrefix(".") }
    }

    private static func text(_ path: String) -> String {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { return "" }
        defer { close(file) }
        var bytes = [UInt8](repeating: 0, count: 8_192)
        return String(decoding: bytes[..<max(0, read(file, &bytes, bytes.count))], as: UTF8.self)
    }
}

/// Runs outside the cooperative pool, which has one thread for each processor.
private func onThread<Result: Sendable>(_ work: @escaping @Sendable () -> Result) async -> Result {
    await withCheckedContinuation { continuation in Thread.start { continuation.resume(returning: work()) } }
}
