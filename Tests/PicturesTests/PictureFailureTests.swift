import PictureMessages
import Testing

@testable import HTTPFetch
@testable import Pictures

@Suite("Pictures / failures")
struct PictureFailureTests {
    @Test("a refusal of the file is final")
    func refusal() {
        let failure = PictureFailure(.tooLarge)
        #expect(failure.reason == "too_large" && !failure.isRetryable && !failure.isServerFailure)
    }

    @Test("a failure of the server itself can be retried and does not count")
    func server() {
        let failure = PictureFailure(storage: "No space left.")
        #expect(failure.isServerFailure && failure.isRetryable && failure.shownMessage == "No space left.")
    }

    @Test("users do not learn that a name resolves to a private address")
    func hidden() {
        let error = FetchError(.blockedAddress, "10.0.0.1 is not public.", hops: 1)
        let failure = PictureFailure(error)
        #expect(failure.reason == "blocked_address")
        #expect(failure.shownReason == error.forUsers.reason.rawValue && failure.shownMessage == error.forUsers.message)
    }
}
