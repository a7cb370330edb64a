import Testing

@testable import HomeServices

@Suite("HomeServices / processes of a service")
struct ServiceProcessesTests {
    private let home = HomeFolder(path: "/nonexistent/home")

    private func process(
        _ program: String, _ arguments: [String] = [], folder: String = "/nonexistent/home", user: UInt32 = 9
    ) -> ListedProcess {
        ListedProcess(pid: 5, parent: 1, user: user, folder: folder, program: program, arguments: arguments)
    }

    @Test("a process is recognised by program, subcommand, folder and user")
    func command() {
        let jobs = Service.sample("jobs", command: ["./bin/lectern", "jobs", "run", "--fast"])
        let processes = ServiceProcesses(of: jobs, in: home)
        let program = "/nonexistent/home/bin/lectern"
        #expect(processes.includes(process(program, ["./bin/lectern", "jobs", "run", "-v"])))
        #expect(!processes.includes(process(program, ["./bin/lectern", "jobs"])))
        #expect(!processes.includes(process(program, ["./bin/lectern", "fcgi"])))
        #expect(!processes.includes(process("/other/bin/lectern", ["./bin/lectern", "jobs", "run"])))
        #expect(!processes.includes(process(program, ["x", "jobs", "run"], folder: "/")))
        #expect(!processes.includes(process(program, ["x", "jobs", "run"], user: 0)))
    }

    @Test("a process that hides its program and its folder is recognised by its first argument")
    func hidden() {
        func hidden(_ arguments: [String]) -> ListedProcess {
            ListedProcess(pid: 5, parent: 1, user: 9, folder: nil, program: nil, arguments: arguments)
        }
        var jobs = Service.sample("jobs", command: ["./bin/lectern", "jobs", "run"])
        jobs.helpers = ["./bin/helper"]
        let processes = ServiceProcesses(of: jobs, in: home)
        #expect(processes.includes(hidden(["/nonexistent/home/bin/lectern", "jobs", "run"])))
        #expect(processes.includes(hidden(["/nonexistent/home/bin/helper"])))
        #expect(!processes.includes(hidden(["/nonexistent/home/bin/lectern", "fcgi"])))
        #expect(!processes.includes(hidden(["/nonexistent/other/bin/lectern", "jobs", "run"])))
        #expect(!processes.includes(hidden(["./bin/lectern", "jobs", "run"])))
        #expect(!processes.includes(hidden([])))
    }

    @Test("the user of a process is the first id of its status")
    func user() {
        #expect(ListedProcess.user(in: "Name:\tx\nUid:\t1000\t0\t0\t0\nGid:\t5\t5\t5\t5\n") == 1_000)
        #expect(ListedProcess.user(in: "Name:\tx\n") == nil)
    }

    @Test("helpers are recognised by their program alone, and a data folder is the working folder")
    func helpersAndData() {
        var pool = Service.sample("fcgi", command: ["./bin/lectern", "fcgi"])
        pool.helpers = ["./bin/lectern-fcgi"]
        #expect(ServiceProcesses(of: pool, in: home).includes(process("/nonexistent/home/bin/lectern-fcgi")))
        var database = Service.sample("postgres", command: ["/nonexistent/postgres", "-D", "x"])
        database.dataFolder = "data"
        let processes = ServiceProcesses(of: database, in: home)
        #expect(processes.includes(process("/nonexistent/postgres", ["postgres"], folder: "/nonexistent/home/data")))
        #expect(!processes.includes(process("/nonexistent/postgres", ["postgres"])))
    }

    @Test("children of a process in the list are not signalled themselves")
    func topmost() {
        let parents: [(Int32, Int32)] = [(5, 1), (6, 5), (7, 6), (8, 2)]
        let all = parents.map { pid, parent in
            ListedProcess(pid: pid, parent: parent, user: 9, folder: "/", program: "/x", arguments: [])
        }
        #expect(ServiceProcesses.topmost(all).map(\.pid) == [5, 8])
    }

    @Test("a replaced program keeps its path")
    func replaced() {
        #expect(ListedProcess.withoutMark("/a/b (deleted)") == "/a/b")
        #expect(ListedProcess.withoutMark("/a/b") == "/a/b")
    }
}
