import Jobs
import Postgres
import Testing

@testable import Saving

@Suite("Saving / errors")
struct SaveErrorTests {
    @Test("a lost connection is the server's failure, not the page's")
    func outage() {
        let error = SaveError(database: .unavailable(reason: "away"))
        #expect(error == .outage(JobFailure(reason: "database", message: "away")))
        #expect(error.description == "database: away")
    }

    @Test("text that PostgreSQL cannot store fails the page, and its owner does not see the details")
    func unstorable() {
        guard case .failed(let failure) = SaveError(database: .nulInText) else {
            Issue.record("not a failure of the page")
            return
        }
        #expect(failure.cause.reason == "not_stored" && failure.isRetryable)
        #expect(failure.shown?.message.contains("NUL") == false)
    }

    @Test("a crashed reader process counts as an attempt, a missing one does not")
    func readers() {
        guard case .failed(let failure) = SaveError(.crashed("exited with status 7")) else {
            Issue.record("not a failure of the page")
            return
        }
        #expect(
            failure.cause.message.contains("exited with status 7") && failure.shown?.message.contains("status") == false
        )
        #expect(SaveError(.unavailable("none")) == .outage(JobFailure(reason: "reader", message: "none")))
    }

    @Test("a job that was interrupted too often is not retried")
    func interrupted() { #expect(!SaveError.interrupted(times: 8).isRetryable) }
}
