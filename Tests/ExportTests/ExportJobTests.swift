import Jobs
import Testing

@testable import Export

@Suite("Export / job")
struct ExportJobTests {
    @Test("every attempt at an export has a lease of its own")
    func lease() {
        #expect(ExportJob(id: "e", user: "u", attempt: 2).lease == Lease(key: "e", number: 2))
    }
}
