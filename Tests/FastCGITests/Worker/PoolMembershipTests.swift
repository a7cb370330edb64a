import Glibc
import Testing

@testable import FastCGI

@Suite("FastCGI / pool membership")
struct PoolMembershipTests {
    @Test("a process that no supervisor started belongs to no pool")
    func none() throws {
        #expect(try PoolMembership.inherited() == nil)
    }

    @Test("a supervisor is alive while it is the parent process")
    func supervisor() throws {
        let board = Scoreboard.inMemory(counters: 0)
        let slot = try #require(board.claim())
        func membership(of pid: Int32) -> PoolMembership {
            PoolMembership(scoreboard: board, slot: slot, supervisor: pid, connectionHandover: .inherited)
        }
        #expect(membership(of: getppid()).hasSupervisor)
        #expect(!membership(of: getpid()).hasSupervisor)
    }
}
