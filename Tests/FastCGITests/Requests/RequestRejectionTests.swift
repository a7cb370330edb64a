import FastCGI
import Testing

@Suite("FastCGI / request rejection")
struct RequestRejectionTests {
    @Test(
        "each reason has its HTTP status",
        arguments: [
            (RequestRejection.bodyTooLarge(limit: 1), 413), (.bodyIncomplete, 400), (.tooManyFields(limit: 1), 431),
            (.malformed, 400), (.tooManyWaiting, 503),
        ])
    func status(rejection: RequestRejection, status: Int) { #expect(rejection.status == status) }
}
