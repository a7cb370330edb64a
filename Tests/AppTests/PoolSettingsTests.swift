import App
import FastCGI
import Settings
import Testing

@Suite("App / settings of the pool")
struct PoolSettingsTests {
    @Test("the setting WORKERS allows as many workers as the supervisor")
    func workers() throws {
        let setting = try #require(Setting.all.first { $0.name == "WORKERS" })
        #expect(setting.kind == .number(0...SupervisorOptions.mostWorkers))
    }

    @Test("the setting THREADS allows as many threads as a worker has words for on the scoreboard")
    func threads() throws {
        let setting = try #require(Setting.all.first { $0.name == "THREADS" })
        #expect(setting.kind == .number(1...WorkerOptions.mostThreads))
    }

    @Test("a pool has the number of workers that is set, or one for each processor")
    func pool() throws {
        #expect(try SupervisorOptions.workers(Settings(environment: ["LECTERN_WORKERS": "3"])) == 3)
        #expect(try 1...SupervisorOptions.mostWorkers ~= SupervisorOptions.workers(Settings(environment: [:])))
    }

    @Test("the options of a worker are those of the settings")
    func worker() throws {
        let options = WorkerOptions(
            try Settings(environment: [
                "LECTERN_THREADS": "3", "LECTERN_BODY_LIMIT": "2048", "LECTERN_DRAIN_TIMEOUT": "7",
                "LECTERN_RECYCLE_AFTER": "9",
            ]))
        #expect(
            options.threads == 3 && options.bodyLimit == 2_048 && options.drainSeconds == 7 && options.recycleAfter == 9
        )
    }
}
