import CGumbo
import Glibc
import HTML
import Readability

/// Times gumbo's parser, Lectern's parser and the whole extraction over files. Arguments: the number of rounds, then
/// the files. Prints one line per candidate: its name, megabytes per second of processor time (the median of the
/// rounds), and the ratio to gumbo (the median of the ratios in each round). The candidates take turns in every round.
@main
enum TimeExtract {
    static func main() {
        let arguments = CommandLine.arguments.dropFirst()
        guard let rounds = arguments.first.flatMap({ Int($0) }), rounds > 0, arguments.count > 1 else {
            print("time-extract ROUNDS FILE…")
            exit(2)
        }
        let pages = arguments.dropFirst().map(contents)
        let megabytes = Double(pages.reduce(0) { $0 + $1.count }) / 1e6
        let candidates: [(name: String, work: ([UInt8]) -> Int)] = [
            ("gumbo", parseWithGumbo), ("parse", parse), ("extract", extract),
        ]
        var seconds = candidates.map { _ in [Double]() }
        for round in 0...rounds {
            for (index, candidate) in candidates.enumerated() {
                let spent = time { pages.reduce(0) { $0 + candidate.work($1) } }
                // The first round warms up.
                if round > 0 { seconds[index].append(spent) }
            }
        }
        for (index, candidate) in candidates.enumerated() {
            let ratios = zip(seconds[0], seconds[index]).map { $0 / $1 }
            print(candidate.name, megabytes / median(seconds[index]), median(ratios), separator: "\t")
        }
    }

    // MARK: Candidates; each returns the size of its result

    private static func parseWithGumbo(_ page: [UInt8]) -> Int {
        page.withUnsafeBytes { bytes in
            var options = kGumboDefaultOptions
            guard let text = bytes.baseAddress?.assumingMemoryBound(to: CChar.self),
                let output = gumbo_parse_with_options(&options, text, bytes.count)
            else { return 0 }
            defer { gumbo_destroy_output(&options, output) }
            return Int(output.pointee.root.pointee.v.element.children.length)
        }
    }

    private static func parse(_ page: [UInt8]) -> Int { (try? Document(parsing: page))?.nodeCount ?? 0 }

    private static func extract(_ page: [UInt8]) -> Int {
        guard let document = try? Document(parsing: page) else { return 0 }
        return Extraction(mode: .compat).article(in: document, url: "http://fakehost/test/page.html")?.content.utf8
            .count ?? 0
    }

    // MARK: Measuring

    private static func time(_ work: () -> Int) -> Double {
        let start = processorSeconds()
        let found = work()
        let spent = processorSeconds() - start
        precondition(found > 0)
        return spent
    }

    /// Processor time of this process, which depends less on other load than elapsed time.
    private static func processorSeconds() -> Double {
        var now = timespec()
        clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now)
        return Double(now.tv_sec) + Double(now.tv_nsec) / 1e9
    }

    private static func median(_ values: [Double]) -> Double {
        let sorted = values.sorted()
        return (sorted[sorted.count / 2] + sorted[(sorted.count - 1) / 2]) / 2
    }

    private static func contents(of path: String) -> [UInt8] {
        guard let file = fopen(path, "r") else { return [] }
        defer { fclose(file) }
        var contents: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&chunk, 1, chunk.count, file)
            if count == 0 { return contents }
            contents += chunk[..<count]
        }
    }
}
