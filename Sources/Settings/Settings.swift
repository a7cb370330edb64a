/// The settings in force: defaults, then what the environment says.
public struct Settings: Sendable {
    /// All that is wrong, told at once.
    public struct Invalid: Error, Equatable, CustomStringConvertible {
        public var complaints: [String]

        public init(complaints: [String]) { self.complaints = complaints }

        public var description: String { complaints.joined(separator: "; ") }
    }

    private var values: [String: String] = [:]
    private var given: Set<String> = []

    /// Names with our prefix that are not settings: what `lectern.env` holds for the admin's shell, and the scripts'
    /// own switches.
    private static let otherNames: Set<String> = [
        "URL", "ANON_KEY", "SERVICE_KEY", "DATABASE_URL", "HOME", "SITE", "BUILD_DIR",
    ]

    /// What only another room can judge: by name, what is wrong with a value, or nil.
    public typealias Rules = [String: @Sendable (String) -> String?]

    /// - Parameters:
    ///   - environment: names and values, of which those with the prefix `LECTERN_` count.
    ///   - rules: asked about values that are given and that the table finds good.
    public init(environment: [String: String], rules: Rules = [:]) throws(Invalid) {
        var complaints: [String] = []
        let known = Dictionary(uniqueKeysWithValues: Setting.all.map { ($0.name, $0) })
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix("LECTERN_") {
            let short = String(name.dropFirst("LECTERN_".count))
            if Self.otherNames.contains(short) || short.hasPrefix("TEST_") { continue }
            guard let setting = known[short] else {
                complaints.append("\(name) is no setting")
                continue
            }
            if let complaint = setting.complaint(about: value) ?? rules[short]?(value) {
                complaints.append("\(name) \(complaint)\(setting.isSecret ? "" : ", not '\(value)'")")
            }
            values[short] = value
            given.insert(short)
        }
        for setting in Setting.all where values[setting.name] == nil {
            values[setting.name] = setting.default
        }
        if let secret = values["JWT_SECRET"], secret.utf8.count < 32 {
            complaints.append("LECTERN_JWT_SECRET must have at least 32 characters")
        }
        guard complaints.isEmpty else { throw Invalid(complaints: complaints) }
    }

    /// - Precondition: `name` stands in the table and has a default.
    public func text(_ name: String) -> String {
        guard let value = values[name] else { preconditionFailure("\(name) has no default") }
        return value
    }

    /// - Precondition: `name` stands in the table as a number.
    public func number(_ name: String) -> Int {
        guard let number = Int(text(name)) else { preconditionFailure("\(name) is no number") }
        return number
    }

    /// The elements of a comma list, without blanks.
    public func list(_ name: String) -> [String] {
        text(name).split(separator: ",").map { part in
            String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }.filter { !$0.isEmpty }
    }

    /// A setting that has no default.
    public func required(_ name: String) throws(Invalid) -> String {
        guard let value = values[name], !value.isEmpty else {
            throw Invalid(complaints: ["LECTERN_\(name) is missing: \(help(name))"])
        }
        return value
    }

    /// Name, value (secrets hidden) and whether it was given, for `lectern config`.
    public var shown: [(name: String, value: String, isDefault: Bool, help: String)] {
        Setting.all.map { setting in
            let value = values[setting.name] ?? ""
            let shown = setting.isSecret && !value.isEmpty ? "********" : value
            return (setting.name, shown, !given.contains(setting.name), setting.help)
        }
    }

    private func help(_ name: String) -> String { Setting.all.first { $0.name == name }?.help ?? "" }
}
