import Testing

@testable import HomeServices

@Suite("HomeServices / table")
struct ServiceTableTests {
    static let common = "version 2\nsockets /run/x y\n"
    static let service = """
        service jobs
        kind daemon
        user 998
        launcher /usr/bin/setpriv --no-new-privs
        command ./bin/lectern jobs run
        stop-signal TERM
        death-signal INT
        force-signal KILL
        stop-seconds 7
        inputs bin/lectern sql

        """

    @Test("every key is read, and comments and empty lines do not count")
    func everything() throws {
        let more = "helpers ./bin/a /b\nready /bin/true --quiet\ndata postgres\nstop-early yes\nignore sql/temp\n"
        let table = try ServiceTable(parsing: "# a comment\n\n" + Self.common + Self.service + more)
        #expect(table.socketFolder == "/run/x y")
        #expect(
            table.services == [
                Service(
                    name: "jobs", kind: .daemon, user: 998, launcher: ["/usr/bin/setpriv", "--no-new-privs"],
                    command: ["./bin/lectern", "jobs", "run"],
                    helpers: ["./bin/a", "/b"], readyCheck: ["/bin/true", "--quiet"], dataFolder: "postgres",
                    stopSignal: .terminate, deathSignal: .interrupt, forceSignal: .kill, secondsToStop: 7,
                    stopsEarly: true, inputs: ["bin/lectern", "sql"], ignoredInput: "sql/temp")
            ])
    }

    @Test("the services keep their order")
    func order() throws {
        let text = Self.common + Self.service + Self.service.replacing("jobs\n", with: "again\n")
        #expect(try ServiceTable(parsing: text).services.map(\.name) == ["jobs", "again"])
    }

    private static let wrongTables: [(String, String)] = [
        (common, "line 1: the table has no services"),
        (service, "line 1: version is missing"),
        (changed("version 2", "version 1"), "line 1: this program needs version 2 of the table"),
        (common + service + "colour red", "line 13: unknown key colour"),
        (common + service + "kind once", "line 13: kind is given twice"),
        (common + service + service, "line 13: the service jobs is given twice"),
        (common + "service ../x", "line 3: '../x' is not a name"),
        (common + "service", "line 3: expected a key and a value"),
        (
            changed("daemon", "demon"),
            "line 4: kind: expected one of daemon, handover, reload, once, not 'demon'"
        ),
        (changed("seconds 7", "seconds x"), "line 11: stop-seconds: expected a number, not 'x'"),
        (changed("inputs bin/lectern sql\n", ""), "line 3: inputs is missing"),
    ]

    private static func changed(_ old: String, _ new: String) -> String {
        (common + service).replacing(old, with: new)
    }

    @Test("an error names the line and the reason", arguments: wrongTables)
    func errors(text: String, error: String) {
        let thrown = #expect(throws: TableError.self) { try ServiceTable(parsing: text) }
        #expect(thrown?.description == error)
    }

    @Test(
        "a program that is neither absolute nor in the home is an error",
        arguments: ["lectern", "bin/lectern", "../lectern", "./../lectern", "/x/../lectern"])
    func programs(program: String) {
        let text = Self.common + Self.service.replacing("./bin/lectern jobs", with: "\(program) jobs")
        let reason = "command: expected an absolute path or ./path, not '\(program)'"
        #expect(throws: TableError(line: 7, reason: reason)) { try ServiceTable(parsing: text) }
    }
}
