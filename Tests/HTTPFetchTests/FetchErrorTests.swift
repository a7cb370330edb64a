import CCurl
import Testing

@testable import HTTPFetch

@Suite("HTTPFetch / fetch error")
struct FetchErrorTests {
    @Test("users see the same error for a blocked, an unknown and an unreachable site")
    func forUsers() {
        let errors = [
            FetchError(.blockedAddress, "The address 10.0.0.1 is blocked (private network)."),
            FetchError(CURLE_COULDNT_RESOLVE_HOST, hasAnswered: false),
            FetchError(CURLE_COULDNT_CONNECT, hasAnswered: false),
        ]
        #expect(Set(errors.map(\.forUsers.message)) == ["The site could not be reached."])
        #expect(Set(errors.map(\.forUsers.reason)) == [.connectionFailed])
        #expect(errors.allSatisfy { $0.forUsers.retryable })
    }

    @Test("users see other errors unchanged")
    func unchanged() {
        let error = FetchError(CURLE_PEER_FAILED_VERIFICATION, hasAnswered: false)
        #expect(error.forUsers == error && !error.retryable)
    }

    @Test(
        "temporary statuses are retryable and permanent ones are not",
        arguments: [
            (404, false), (408, true), (410, false), (429, true), (500, true), (501, false), (503, true),
        ])
    func retryable(status: Int, isRetryable: Bool) {
        let error = FetchError.answered(status, retryAfter: 7)
        #expect(error.retryable == isRetryable && error.status == status && error.retryAfter == 7)
        #expect(error.message.hasSuffix("(status \(status))."))
    }

    @Test("a lost connection is a bad response only after a status line")
    func lost() {
        #expect(FetchError(CURLE_RECV_ERROR, hasAnswered: false).reason == .connectionFailed)
        #expect(FetchError(CURLE_RECV_ERROR, hasAnswered: true).reason == .badResponse)
    }

    @Test(
        "every message is one sentence",
        arguments: [
            CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY, CURLE_URL_MALFORMAT, CURLE_OPERATION_TIMEDOUT,
            CURLE_FILESIZE_EXCEEDED, CURLE_BAD_CONTENT_ENCODING, CURLE_SSL_CONNECT_ERROR, CURLE_WEIRD_SERVER_REPLY,
            CURLE_GOT_NOTHING, CURLE_PARTIAL_FILE, CURLE_COULDNT_CONNECT,
        ].map(\.rawValue))
    func sentence(code: UInt32) {
        let message = FetchError(CURLcode(rawValue: code), hasAnswered: false).message
        #expect(message.hasSuffix(".") && message.first?.isUppercase == true)
    }
}
