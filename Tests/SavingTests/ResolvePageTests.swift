import CCurl
import Jobs
import Testing

@testable import HTTPFetch
@testable import Saving

@Suite("Saving / what is told of a failed fetch")
struct FetchFailureTests {
    private func failure(_ error: FetchError) throws -> SaveError.Failure {
        guard case .failed(let failure) = SaveError(error) else { throw error }
        return failure
    }

    /// A refused address, an unknown name, a site that does not answer; with and without redirects.
    private static let unreachable = [
        FetchError(.blockedAddress, "10.0.0.7 is an address of a private network.", hops: 2, seconds: 1),
        FetchError(.blockedAddress, "localhost leads to this machine.", retryAfter: 60, status: 302),
        FetchError(CURLE_COULDNT_RESOLVE_HOST, hasAnswered: false),
        FetchError(.dnsError, "There is no site named nowhere.invalid."),
        FetchError(CURLE_COULDNT_CONNECT, hasAnswered: false),
    ]

    @Test("a private address, an unknown name and a silent site are reported and retried alike", arguments: unreachable)
    func alike(error: FetchError) throws {
        let failure = try failure(error)
        #expect(
            (failure.shown ?? failure.cause)
                == JobFailure(reason: "connection_failed", message: "The site could not be reached."))
        #expect(failure.isRetryable && failure.retryAfter == nil)
    }

    @Test("the admin sees the actual reason", arguments: unreachable)
    func cause(error: FetchError) throws {
        #expect(try failure(error).cause == JobFailure(reason: error.reason.rawValue, message: error.message))
    }

    @Test(
        "everything else keeps its class, its words and whether it may get better",
        arguments: [
            FetchError(CURLE_PEER_FAILED_VERIFICATION, hasAnswered: false),
            FetchError(.invalidURL, "This is not a web address."),
            FetchError(.timeout, "The site did not answer in time."), FetchError.answered(503, retryAfter: 120),
            FetchError.answered(404, retryAfter: nil),
        ])
    func itself(error: FetchError) throws {
        let failure = try failure(error)
        #expect(
            failure.shown == nil && failure.cause == JobFailure(reason: error.reason.rawValue, message: error.message))
        #expect(failure.isRetryable == error.retryable && failure.retryAfter == error.retryAfter)
    }
}
