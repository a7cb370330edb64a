import CCurl
import Testing

@testable import Mail

@Suite("Mail / submission errors")
struct SubmissionErrorTests {
    @Test(
        "permanent rejections are not tried again, everything else is",
        arguments: [
            (SubmissionError.refused(""), false), (.needsUTF8, false), (.putOff(""), true), (.notAdmitted(""), true),
            (.insecure(""), true), (.unreachable(""), true), (.timeout, true), (.cancelled, true),
        ])
    func temporary(error: SubmissionError, isTemporary: Bool) { #expect(error.isTemporary == isTemporary) }

    @Test(
        "a code of the server decides, and 53x concerns the login",
        arguments: [
            (550, SubmissionError.refused("x")), (451, .putOff("x")), (535, .notAdmitted("x")),
        ])
    func codes(code: Int, error: SubmissionError) {
        #expect(SubmissionError(CURLE_SEND_ERROR, SMTPReplies.Reply(code: code, text: "x")) == error)
    }

    @Test("a timeout is a timeout, whatever the server has replied before")
    func timeout() {
        #expect(SubmissionError(CURLE_OPERATION_TIMEDOUT, SMTPReplies.Reply(code: 250, text: "")) == .timeout)
    }
}
