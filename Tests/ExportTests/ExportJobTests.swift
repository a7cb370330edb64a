import Jobs
import Testing

@testable import Export

@Suite("Export / job")
struct ExportJobTests {
    @Test("every attempt at an export has a lease of its own")
    func lease() {
        let export = ExportJob(id: "e", request: ExportRequest(user: "u", format: .csv), attempt: 2)
        #expect(export.lease == Lease(key: "e", number: 2))
    }
}
