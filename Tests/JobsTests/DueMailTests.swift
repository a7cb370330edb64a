import Testing

@testable import Jobs

@Suite("Jobs / due mail")
struct DueMailTests {
    @Test("every attempt at a mail has a lease of its own")
    func lease() {
        var mail = DueMail(id: "m", kind: "invite", recipient: "", subject: "", body: "", createdAt: 0, attempt: 1)
        let first = mail.lease
        mail.attempt = 2
        #expect(first == Lease(key: "m", number: 1) && mail.lease == Lease(key: "m", number: 2))
    }
}
