import FastCGI
import Testing

@testable import App

@Suite("App / service errors")
struct ServiceErrorTests {
    @Test(
        "a request that the worker rejects has the status of the rejection",
        arguments: [
            RequestRejection.bodyTooLarge(limit: 5), .bodyIncomplete, .tooManyFields(limit: 5), .malformed,
            .tooManyWaiting, .tooManyOfSource, .diskFull, .bodyNotStored(reason: "open: no such folder"),
        ])
    func rejections(rejection: RequestRejection) { #expect(ServiceError(rejection).status == rejection.status) }

    @Test("an internal error names only the request's id")
    func unforeseen() { #expect(ServiceError.unforeseen(requestID: "abc").message.contains("abc")) }
}
