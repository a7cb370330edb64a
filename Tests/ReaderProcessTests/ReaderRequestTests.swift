import Confinement
import Testing

@testable import ReaderProcess

@Suite("ReaderProcess / request")
struct ReaderRequestTests {
    @Test(
        "a request is read again",
        arguments: [
            ReaderRequest(.page, url: "http://a.test/é", html: Array("<p>x".utf8), status: 404),
            ReaderRequest(.pdf, url: "", html: []), ReaderRequest(.markdown, url: "u", html: [0, 255], status: 65_535),
        ])
    func roundTrip(request: ReaderRequest) { #expect(ReaderRequest(request.message) == request) }

    @Test(
        "another message is not a request",
        arguments: [
            Message([]), Message([[1], [], []]), Message([[0], [], [], nil]), Message([[9], [], [], nil]),
            Message([[1], nil, [], nil]), Message([[1], [], [], [1]]),
        ])
    func invalid(message: Message) { #expect(ReaderRequest(message) == nil) }
}
