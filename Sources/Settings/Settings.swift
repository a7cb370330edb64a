/// The values of all settings: those of the environment, else the defaults.
public struct Settings: Sendable {
    /// All problems of the settings, reported together.
    public struct Invalid: Error, Equatable, CustomStringConvertible {
        public var problems: [String]

        public init(problems: [String]) { self.problems = problems }

        public var description: String { problems.joined(separator: "; ") }
    }

    private var values: [String: String] = [:]
    private var given: Set<String> = []

    /// Names with the prefix `LECTERN_` that are not settings: variables in `lectern.env` for the admin's shell, and
    /// options of the scripts.
    private static let otherNames: Set<String> = [
        "URL", "ANON_KEY", "SERVICE_KEY", "DATABASE_URL", "HOME", "SITE", "BUILD_DIR",
    ]

    /// Checks by other modules: for the name of a setting a function that returns the problem with a value, or nil.
    public typealias Rules = [String: @Sendable (String) -> String?]

    /// - Parameters:
    ///   - environment: names and values; only names with the prefix `LECTERN_` count.
    ///   - rules: additional checks of given values, after the check by the table.
    public init(environment: [String: String], rules: Rules = [:]) throws(Invalid) {
        var problems: [String] = []
        let known = Dictionary(uniqueKeysWithValues: Setting.all.map { ($0.name, $0) })
        for (name, value) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix("LECTERN_") {
            let short = String(name.dropFirst("LECTERN_".count))
            if Self.otherNames.contains(short) || short.hasPrefix("TEST_") { continue }
            guard let setting = known[short] else {
                problems.append("\(name) is not a setting")
                continue
            }
            if let problem = setting.problem(with: value) ?? rules[short]?(value) {
                problems.append("\(name) \(problem)\(setting.isSecret ? "" : ", not '\(value)'")")
            }
            values[short] = value
            given.insert(short)
        }
        for setting in Setting.all where values[setting.name] == nil {
            values[setting.name] = setting.default
        }
        if let secret = values["JWT_SECRET"], secret.utf8.count < 32 {
            problems.append("LECTERN_JWT_SECRET must have at least 32 characters")
        }
        guard problems.isEmpty else { throw Invalid(problems: problems) }
    }

    /// The value of a setting.
    ///
    /// - Precondition: the setting exists and has a default.
    public func text(_ name: String) -> String {
        guard let value = values[name] else { preconditionFailure("\(name) has no default") }
        return value
    }

    /// The value of a number setting, or of a quota; 0 for a quota that is off.
    ///
    /// - Precondition: the setting exists, is a number or a quota, and has a default.
    public func number(_ name: String) -> Int {
        let value = text(name)
        guard let number = value == "off" ? 0 : Int(value) else { preconditionFailure("\(name) is not a number") }
        return number
    }

    /// The elements of a comma-separated setting, without surrounding blanks and empty elements.
    public func list(_ name: String) -> [String] {
        text(name).split(separator: ",").map { part in
            String(part.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }.filter { !$0.isEmpty }
    }

    /// The value of a setting without a default.
    ///
    /// - Throws: `Invalid` if it is missing or empty.
    public func required(_ name: String) throws(Invalid) -> String {
        guard let value = values[name], !value.isEmpty else {
            throw Invalid(problems: ["LECTERN_\(name) is missing: \(help(name))"])
        }
        return value
    }

    /// All settings for `lectern config`; the values of secrets are replaced by asterisks.
    public var shown: [(name: String, value: String, isDefault: Bool, help: String)] {
        Setting.all.map { setting in
            let value = values[setting.name] ?? ""
            let shown = setting.isSecret && !value.isEmpty ? "********" : value
            return (setting.name, shown, !given.contains(setting.name), setting.help)
        }
    }

    private func help(_ name: String) -> String { Setting.all.first { $0.name == name }?.help ?? "" }
}
