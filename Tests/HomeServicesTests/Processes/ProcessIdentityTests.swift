import Glibc
import Testing

@testable import HomeServices

@Suite("HomeServices / process identity")
struct ProcessIdentityTests {
    @Test("the start time is field 22, whatever the name contains")
    func startTime() {
        let fields = (3...52).map { "\($0)" }.joined(separator: " ")
        #expect(ProcessIdentity.startTime(in: "12 (a) b) c) \(fields)\n") == "22")
        #expect(ProcessIdentity.startTime(in: "12") == nil)
    }

    @Test("the identity has the pid, the start time and the boot")
    func own() throws {
        let parts = try #require(ProcessIdentity.own()).split(separator: " ")
        #expect(parts.count == 3 && parts[0] == "\(getpid())" && Int(parts[1]) != nil && parts[2].count == 36)
    }
}
