import ArgumentParser
import Charsets
import Links

struct URLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "url", abstract: "What Lectern makes of URLs.", subcommands: [Normalize.self])

    struct Normalize: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the dedupe key of each URL on standard input, one a line.",
            discussion: """
                Two links of one user with the same key are one link. A key is an https URL and its own key; an empty line \
                stands for what is no http or https URL. The database has the same as rest.dedupe_key(url).
                """)

        func run() throws {
            let key = DedupeKey(mapHost: InternationalHost.mapped)
            var buffer: [UInt8] = []
            var isMore = true
            while isMore {
                isMore = try StandardStreams.read(into: &buffer)
                // Whole lines only; at the end, what is left is one.
                let end = isMore ? (buffer.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0) : buffer.count
                var lines = buffer[..<end].split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
                if lines.last?.isEmpty == true { lines.removeLast() }
                var output: [UInt8] = []
                for line in lines {
                    output += key(line) ?? []
                    output.append(UInt8(ascii: "\n"))
                }
                try StandardStreams.write(output)
                buffer.removeSubrange(..<end)
            }
        }
    }
}
