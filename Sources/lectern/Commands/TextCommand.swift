import ArgumentParser
import HTML
import JSON
import Links
import Readability
import Text

struct TextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "text", abstract: "Convert texts.", subcommands: [DecodeEntities.self, Sanitize.self])

    struct DecodeEntities: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Decode the character references in each JSON string on standard input, one per line.",
            discussion: """
                Prints one JSON string per line: the text with every named or numeric reference of the HTML standard decoded \
                once, by the rules for page text, where &copy2026 is ©2026. A line that is not a JSON string is an error and \
                ends the command. The SQL function rest.decode_entities(text) returns the same.
                """)

        func run() throws {
            try TextCommand.eachLine { text, _ in CharacterReferences.standard.decoded(text) }
        }
    }

    struct Sanitize: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract:
                "Sanitize the HTML in each JSON string on standard input, one per line, as articles are before storing.",
            discussion: """
                Prints one JSON string per line: the HTML reduced to elements, attributes, styles and URLs that are safe to \
                show. Sanitizing it again changes nothing. A line that is not a JSON string, or exceeds the parser's budget, is \
                an error and ends the command.
                """)

        @Option(help: "URL of the page, to resolve relative links; without it they are removed.")
        var url: String?

        func validate() throws {
            if let url, WebAddress(url)?.isHTTP != true { throw ValidationError("--url takes an http or https URL.") }
        }

        func run() throws {
            let sanitizer = Sanitizer(base: url.flatMap { WebAddress($0) })
            try TextCommand.eachLine { text, number in
                do {
                    return try sanitizer.sanitize(text)
                } catch {
                    throw CommandError("line \(number) exceeds the parser's budget (\(error))")
                }
            }
        }
    }

    /// Maps every JSON string on standard input to another.
    private static func eachLine(_ answer: (String, _ number: Int) throws -> String) throws {
        var lines = LineReader()
        var number = 0
        while let line = try lines.next() {
            number += 1
            guard let text = JSON(parsing: line.bytes)?.string else {
                throw CommandError("line \(number) is not a JSON string")
            }
            try StandardStreams.write(JSON.string(try answer(text, number)).bytes + [0x0A])
        }
    }
}
