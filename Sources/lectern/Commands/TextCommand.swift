import ArgumentParser
import Readability
import Text

struct TextCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "text", abstract: "What Lectern makes of texts.", subcommands: [DecodeEntities.self])

    struct DecodeEntities: ParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Decode the character references of each text on standard input, a JSON string a line.",
            discussion: """
                Prints a JSON string a line: the text with every reference of the HTML standard, named or numeric, replaced \
                once and as in the text of a page, where &copy2026 is ©2026. A line that is no JSON string ends the work with \
                an error. The database has the same as rest.decode_entities(text).
                """)

        func run() throws {
            var lines = LineReader()
            var number = 0
            while let line = try lines.next() {
                number += 1
                guard let text = JSON(parsing: line.bytes)?.string else { throw Complaint("line \(number) is no JSON string") }
                try StandardStreams.write(JSON.string(CharacterReferences.standard.decoded(text)).bytes + [0x0A])
            }
        }
    }
}
