/// The services of a home in the order they start, as deploy/run writes them to `<home>/services/table`.
///
/// The table has lines `key value`, empty lines and comments after `#`. A line `service NAME` begins a service; the
/// lines before the first service apply to all. deploy/lib/services.sh explains them.
struct ServiceTable: Equatable, Sendable {
    /// The version of the format. deploy/lib/services.sh writes the same number.
    static let version = "2"

    /// The folder of the folders with sockets, which is removed when everything has stopped.
    var socketFolder: String
    var services: [Service]

    init(parsing text: String) throws(TableError) {
        var common = TableSection(line: 1)
        var named: [(name: String, section: TableSection)] = []
        for (number, line) in lines(of: text) {
            let (key, value) = try Self.entry(line, number)
            if key == "service" {
                guard Self.isName(value) else { throw TableError(line: number, reason: "'\(value)' is not a name") }
                guard !named.contains(where: { $0.name == value }) else {
                    throw TableError(line: number, reason: "the service \(value) is given twice")
                }
                named.append((value, TableSection(line: number)))
            } else if named.isEmpty {
                try common.add(key, value, line: number)
            } else {
                try named[named.count - 1].section.add(key, value, line: number)
            }
        }
        try self.init(common, named)
    }

    private init(_ common: TableSection, _ named: [(name: String, section: TableSection)]) throws(TableError) {
        guard try common.text("version") == Self.version else {
            throw TableError(line: common.line, reason: "this program needs version \(Self.version) of the table")
        }
        try common.requireOnly(["version", "sockets"])
        socketFolder = try common.text("sockets")
        services = []
        for (name, section) in named { services.append(try Service(name, section)) }
        if services.isEmpty { throw TableError(line: common.line, reason: "the table has no services") }
    }

    private static func entry(_ line: Substring, _ number: Int) throws(TableError) -> (key: String, value: String) {
        let parts = line.split(separator: " ", maxSplits: 1)
        guard parts.count == 2, !parts[1].contains(where: \.isControl) else {
            throw TableError(line: number, reason: "expected a key and a value")
        }
        return (String(parts[0]), String(parts[1]).trimmed)
    }

    /// Names are used in the names of files.
    private static func isName(_ text: String) -> Bool {
        text.utf8.allSatisfy { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0) || $0 == UInt8(ascii: "-") }
    }
}

extension Service {
    private static let keys = [
        "kind", "user", "launcher", "command", "helpers", "ready", "data", "stop-signal", "death-signal",
        "force-signal", "stop-seconds", "stop-early", "inputs", "ignore",
    ]

    private enum Answer: String, CaseIterable { case yes, no }

    init(_ name: String, _ section: TableSection) throws(TableError) {
        try section.requireOnly(Self.keys)
        self.name = name
        kind = try section.choice("kind")
        user = UInt32(clamping: try section.number("user"))
        launcher = try section.command("launcher")
        command = try section.command("command")
        helpers = try section.programs("helpers")
        readyCheck = try section.optionalCommand("ready")
        dataFolder = section.optionalText("data")
        stopSignal = try section.choice("stop-signal")
        deathSignal = try section.choice("death-signal")
        forceSignal = try section.choice("force-signal")
        secondsToStop = try section.number("stop-seconds")
        if section.has("stop-early") { stopsEarly = try section.choice("stop-early", of: Answer.self) == .yes }
        inputs = try section.words("inputs")
        ignoredInput = section.optionalText("ignore")
    }
}
