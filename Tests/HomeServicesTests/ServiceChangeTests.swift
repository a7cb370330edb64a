import Testing

@testable import HomeServices

@Suite("HomeServices / changes")
struct ServiceChangeTests {
    private let services = [
        Service.sample("database"), .sample("migrate", kind: .once), .sample("pool", kind: .handover),
        .sample("proxy", kind: .reload),
    ]

    private func actions(changed: Set<String>, running: Set<String>) -> [String] {
        ServiceChange.all(
            in: services, hasChanged: { changed.contains($0.name) }, isRunning: { running.contains($0.name) }
        ).map { "\($0.action) \($0.service.name)" }
    }

    @Test("only changed services are touched, in the order of the table, each according to its kind")
    func changed() {
        let running: Set = ["database", "pool", "proxy"]
        #expect(actions(changed: [], running: running) == [])
        #expect(actions(changed: ["proxy", "migrate"], running: running) == ["restart migrate", "reload proxy"])
        #expect(
            actions(changed: ["proxy", "pool", "migrate", "database"], running: running)
                == ["restart database", "restart migrate", "replace pool", "reload proxy"])
    }

    @Test("a service that does not run is started, whatever its kind")
    func notRunning() {
        #expect(actions(changed: ["pool", "proxy"], running: []) == ["restart pool", "restart proxy"])
    }

    @Test("services that the new table lacks stop in reverse order")
    func removed() {
        let removed = ServiceChange.removed(from: services, to: [services[1]])
        #expect(removed.map(\.name) == ["proxy", "pool", "database"])
    }
}
