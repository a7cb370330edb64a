import Testing

@testable import Jobs

@Suite("Jobs / lease schedule")
struct LeaseScheduleTests {
    private let start = ContinuousClock.now
    private let jobs = (1...3).map { Job(id: $0, userID: "u", linkID: "l", lease: 1, attempt: 1) }
    private var schedule: LeaseSchedule

    init() { schedule = LeaseSchedule(lease: .seconds(60), deadline: .seconds(900), now: start) }

    private func at(_ seconds: Int) -> ContinuousClock.Instant { start + .seconds(seconds) }
    private var running: [Job: ContinuousClock.Instant] { [jobs[0]: at(0), jobs[1]: at(0), jobs[2]: at(500)] }

    @Test("three renewals fit a lease")
    mutating func often() {
        #expect(schedule.next == at(20))
        schedule.renewed(jobs, held: Set(jobs), now: at(20))
        #expect(schedule.next == at(40))
    }

    @Test("a failed renewal is repeated within a second, as often as necessary, and loses no lease")
    mutating func failing() {
        for second in 20..<70 {
            schedule.failed(now: at(second))
            #expect(schedule.next == at(second + 1))
            #expect(Set(schedule.jobs(of: running, now: at(second + 1))) == Set(jobs))
        }
    }

    @Test("a lease is renewed until its job's deadline and no longer")
    func deadline() {
        #expect(Set(schedule.jobs(of: running, now: at(899))) == Set(jobs))
        #expect(schedule.jobs(of: running, now: at(900)) == [jobs[2]])
    }

    @Test("a lost lease is not renewed again; a new lease of the same job is")
    mutating func lost() {
        schedule.renewed(jobs, held: [jobs[0], jobs[2]], now: at(20))
        #expect(Set(schedule.jobs(of: running, now: at(40))) == [jobs[0], jobs[2]])
        var again = jobs[1]
        again.lease = 2
        #expect(schedule.jobs(of: [again: at(30)], now: at(40)) == [again])
    }
}
