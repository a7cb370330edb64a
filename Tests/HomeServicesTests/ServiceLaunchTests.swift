import Glibc
import Processes
import Testing

@testable import HomeServices

@Suite("HomeServices / launch")
struct ServiceLaunchTests {
    private let home = HomeFolder(path: "/home")

    private func launch(_ service: Service, supervisor: UInt32 = 0) -> ChildProcess.LaunchOptions {
        .init(service, in: home, environment: ["A=b"], supervisor: supervisor)
    }

    @Test("a service is started by the launcher, in the home, with its log as output")
    func usual() {
        let options = launch(.sample("jobs", command: ["./bin/x", "run"]))
        #expect(options.executable == "/usr/bin/setpriv")
        #expect(
            options.arguments == ["/usr/bin/setpriv", "--no-new-privs", "--pdeathsig", "TERM", "./bin/x", "run"])
        #expect(options.environment == ["A=b"] && options.folder == "/home" && options.session == .own)
        let log = ChildProcess.LaunchOptions.Descriptor.file("/home/log/jobs.log", flags: O_WRONLY | O_APPEND | O_CREAT)
        #expect(options.descriptors == [0: .file("/dev/null", flags: O_RDONLY), 1: log, 2: log])
    }

    @Test("a supervisor other than root names programs of the home by their whole path")
    func wholePath() {
        let options = launch(.sample("jobs", command: ["./bin/x", "run"]), supervisor: 1_000)
        #expect(options.arguments.suffix(2) == ["/home/bin/x", "run"])
        #expect(launch(.sample("nginx", command: ["/sbin/x"]), supervisor: 1_000).arguments.last == "/sbin/x")
    }

    @Test("a service with a data folder gets it as descriptor 9 and starts in the root folder")
    func dataFolder() {
        var service = Service.sample("postgres")
        service.dataFolder = "data"
        let options = launch(service)
        #expect(options.descriptors[9] == .file("/home/data", flags: O_RDONLY | O_DIRECTORY))
        #expect(options.folder == "/")
    }
}
