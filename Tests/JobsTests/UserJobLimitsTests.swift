import Testing

@testable import Jobs

@Suite("Jobs / user job limits")
struct UserJobLimitsTests {
    @Test("one user may occupy most threads with single saves, half with bulk saves, a quarter with the rest")
    func shares() {
        #expect(UserJobLimits(of: 16).places == [14, 8, 4])
        #expect(UserJobLimits(of: 64).places == [56, 32, 16])
    }

    @Test("every kind of job may use one thread at least", arguments: 1...3)
    func few(threads: Int) {
        #expect(UserJobLimits(of: threads).places.allSatisfy { $0 >= 1 })
    }

    @Test("without limits no number of jobs is too many")
    func unlimited() {
        #expect(UserJobLimits.unlimited.places.allSatisfy { $0 == Int(Int32.max) })
    }
}
