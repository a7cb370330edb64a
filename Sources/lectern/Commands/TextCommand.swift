import ArgumentParser
import HTML
import Links
import Readability
import Text

struct TextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "text", abstract: "What Lectern makes of texts.", subcommands: [DecodeEntities.self, Sanitize.self])

    struct DecodeEntities: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Decode the character references of each text on standard input, a JSON string a line.",
            discussion: """
                Prints a JSON string a line: the text with every reference of the HTML standard, named or numeric, replaced \
                once and as in the text of a page, where &copy2026 is ©2026. A line that is no JSON string ends the work with \
                an error. The database has the same as rest.decode_entities(text).
                """)

        func run() throws {
            try TextCommand.eachLine { text, _ in CharacterReferences.standard.decoded(text) }
        }
    }

    struct Sanitize: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Clean each HTML text on standard input, a JSON string a line, as articles are before they are stored.",
            discussion: """
                Prints a JSON string a line: the HTML with nothing in it but elements, attributes, styles and addresses that \
                are safe to show. Cleaning it again changes nothing. A line that is no JSON string, or is beyond the parser's \
                budget, ends the work with an error.
                """)

        @Option(help: "Address of the page the HTML is from; its links are relative to it. Without it relative ones go.")
        var url: String?

        func validate() throws {
            if let url, WebAddress(url)?.isHTTP != true { throw ValidationError("--url takes an http or https address.") }
        }

        func run() throws {
            let sanitizer = Sanitizer(base: url.flatMap { WebAddress($0) })
            try TextCommand.eachLine { text, number in
                do {
                    return try sanitizer.sanitize(text)
                } catch {
                    throw CommandError("line \(number) is beyond the budget (\(error))")
                }
            }
        }
    }

    /// Answers every JSON string on standard input with another.
    private static func eachLine(_ answer: (String, _ number: Int) throws -> String) throws {
        var lines = LineReader()
        var number = 0
        while let line = try lines.next() {
            number += 1
            guard let text = JSON(parsing: line.bytes)?.string else { throw CommandError("line \(number) is no JSON string") }
            try StandardStreams.write(JSON.string(try answer(text, number)).bytes + [0x0A])
        }
    }
}
