import Settings
import Testing

@testable import App

@Suite("App / limits of clients")
struct ClientLimitsTests {
    private func limits(
        threads: Int = 16, processors: Int = 8, _ environment: [String: String] = [:]
    ) throws -> ClientLimits {
        ClientLimits(try Settings(environment: environment), threads: threads, processors: processors)
    }

    @Test(
        "a user has a quarter of the threads, a network has an eighth, and each has at least one",
        arguments: [(16, 4, 2), (32, 8, 4), (3, 1, 1)])
    func parts(threads: Int, perUser: Int, perNetwork: Int) throws {
        let limits = try limits(threads: threads)
        #expect(limits.source(of: .user("a"))?.limit == perUser)
        #expect(limits.source(of: .network("a"))?.limit == perNetwork)
        #expect(limits.source(of: .unlimited) == nil)
    }

    @Test(
        "a user has no more threads than the machine has processors, but two if a quarter is as many",
        arguments: [(16, 2, 2), (16, 1, 2), (16, 3, 3), (4, 1, 1)])
    func processors(threads: Int, processors: Int, perUser: Int) throws {
        #expect(try limits(threads: threads, processors: processors).perUser == perUser)
    }

    @Test("the settings replace these parts")
    func settings() throws {
        let limits = try limits(["LECTERN_USER_PARALLEL": "3", "LECTERN_NETWORK_PARALLEL": "2"])
        #expect(limits.perUser == 3 && limits.perNetwork == 2)
    }

    @Test("without rate limits only users have a limit")
    func off() throws {
        let limits = try limits(["LECTERN_RATE_LIMITS": "off"])
        #expect(limits.source(of: .user("a"))?.limit == 4)
        #expect(limits.source(of: .network("a")) == nil)
    }

    @Test("a user and a network of the same name are two sources, and so are two users")
    func keys() throws {
        let limits = try limits()
        let sources = [limits.source(of: .user("a")), limits.source(of: .user("b")), limits.source(of: .network("a"))]
        #expect(Set(sources).count == 3)
        #expect(sources[0] == (try self.limits().source(of: .user("a"))))
    }
}
