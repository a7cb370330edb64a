import ArgumentParser
import Charsets
import Links

struct URLCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "url", abstract: "Convert URLs.", subcommands: [Normalize.self])

    struct Normalize: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Print the dedupe key of each URL on standard input, one per line.",
            discussion: """
                Two links of a user with the same key count as one link. A key is an https URL, and the key of a key is the \
                same. The line is empty for input that is not an http or https URL. The SQL function rest.dedupe_key(url) returns the same.
                """)

        func run() throws {
            let key = DedupeKey(mapHost: InternationalHost.mapped)
            var buffer: [UInt8] = []
            var isMore = true
            while isMore {
                isMore = try StandardStreams.read(into: &buffer)
                // Complete lines only; at the end of the input the rest is a line too.
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
