import Confinement
import Testing

@testable import ReaderProcess

@Suite("ReaderProcess / greeting")
struct ReaderGreetingTests {
    @Test("a greeting is read again", arguments: [true, false])
    func roundTrip(isFiltered: Bool) {
        let greeting = ReaderGreeting(isFiltered: isFiltered)
        #expect(ReaderGreeting(greeting.message) == greeting)
    }

    @Test(
        "another message is not a greeting",
        arguments: [
            Message([]), Message([nil, [1]]), Message([Array("reading".utf8)]), Message([Array("reading".utf8), [2]]),
            Message([Array("reading".utf8), nil]),
        ])
    func invalid(message: Message) { #expect(ReaderGreeting(message) == nil) }
}
