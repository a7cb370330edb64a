import Postgres
import Testing

@testable import App

@Suite("App / health")
struct HealthEndpointTests {
    @Test("clients see a wrong schema version, and no other cause")
    func reasons() {
        #expect(HealthEndpoint.reason(for: .unavailable(reason: "schema version 3")) == "schema version 3")
        let other = HealthEndpoint.reason(for: .unavailable(reason: "no such host db.internal"))
        #expect(other == "the database does not answer")
    }
}
