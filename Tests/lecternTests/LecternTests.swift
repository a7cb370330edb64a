import ArgumentParser
import Testing

@testable import lectern

@Suite("lectern / arguments")
struct LecternTests {
    @Test(
        "valid calls are understood",
        arguments: [
            ["user", "add", "a@example.org", "--invite", "--mail"],
            ["token", "add", "--user", "a", "--name", "n", "--scope", "read"],
            ["extract", "--batch", "--jobs", "4"], ["extract", "--url", "https://e.org/", "--format", "markdown"],
            ["maintain", "re-resolve", "--state", "failed", "--older-than", "7"], ["jobs", "cancel", "--all"],
            ["url", "normalize"],
            ["resolve", "--allow", "127.0.0.1:80,10.0.0.0/8", "https://e.org/"], ["keys", "rotate", "--grace", "0"],
        ])
    func understood(words: [String]) throws { _ = try Lectern.parseAsRoot(words) }

    @Test(
        "wrong usage is refused before anything is done",
        arguments: [
            ["user", "add", "a@example.org", "--mail"],
            ["token", "add", "--user", "a", "--name", "n", "--scope", "all"],
            ["token", "add", "--user", "a", "--name", "n", "--scope", "read", "--expires", "0"], ["extract"],
            ["extract", "--batch", "--url", "x"],
            ["extract", "--batch", "--format", "html"], ["extract", "--batch", "--jobs", "257"],
            ["extract", "--url", "x", "--bookmarked", "2026-01-01"], ["resolve", "--jobs", "0", "x"],
            ["resolve", "--allow", "not a host", "x"], ["keys", "rotate", "--grace", "-1"], ["jobs", "cancel"],
            ["maintain", "re-resolve", "--rate", "0"], ["maintain", "purge-trash", "--days", "-1"],
            ["text", "sanitize", "--url", "ftp://e.org/"],
            ["nonsense"],
        ])
    func refused(words: [String]) {
        #expect(throws: (any Error).self) { try Lectern.parseAsRoot(words) }
    }

    @Test(
        "an error of the arguments is one line",
        arguments: [
            (["export", "--user", "a", "--format", "bogus"], ": zip, markdown, netscape, json, csv, "),
            (["export", "--user", "a", "--format", "a\nb"], "The value 'a b' is invalid"),
        ])
    func errors(words: [String], text: String) throws {
        let error = #expect(throws: (any Error).self) { try Lectern.parseAsRoot(words) }
        let line = Lectern.oneLine(Lectern.message(for: try #require(error)))
        #expect(line.contains(text) && !line.contains("\n"), "\(line)")
    }

    @Test("every command and subcommand has an abstract of one sentence in its help")
    func abstracts() {
        func check(_ command: any ParsableCommand.Type) {
            let abstract = command.configuration.abstract
            #expect(!abstract.isEmpty && abstract.hasSuffix("."), "\(command): \(abstract)")
            command.configuration.subcommands.forEach(check)
        }
        check(Lectern.self)
    }
}
