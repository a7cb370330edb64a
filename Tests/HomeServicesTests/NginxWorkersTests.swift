import Testing

@testable import HomeServices

@Suite("HomeServices / nginx workers")
struct NginxWorkersTests {
    @Test("a worker that shuts down or has ended accepts no connections")
    func titles() {
        #expect(NginxWorkers.isListening(title: "nginx: worker process"))
        #expect(!NginxWorkers.isListening(title: "nginx: worker process is shutting down"))
        #expect(!NginxWorkers.isListening(title: ""))
    }
}
