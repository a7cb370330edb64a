/// The lines `key value` of one part of the table.
struct TableSection {
    /// The number of its first line, for errors about what is missing.
    let line: Int
    private var entries: [String: (line: Int, value: String)] = [:]

    init(line: Int) { self.line = line }

    mutating func add(_ key: String, _ value: String, line: Int) throws(TableError) {
        guard entries[key] == nil else { throw TableError(line: line, reason: "\(key) is given twice") }
        entries[key] = (line, value)
    }

    func requireOnly(_ known: [String]) throws(TableError) {
        let unknown = entries.filter { !known.contains($0.key) }.min { $0.value.line < $1.value.line }
        if let unknown { throw TableError(line: unknown.value.line, reason: "unknown key \(unknown.key)") }
    }

    func has(_ key: String) -> Bool { entries[key] != nil }

    func text(_ key: String) throws(TableError) -> String { try entry(key).value }

    func optionalText(_ key: String) -> String? { entries[key]?.value }

    func words(_ key: String) throws(TableError) -> [String] {
        try text(key).split(separator: " ").map(String.init)
    }

    func optionalWords(_ key: String) throws(TableError) -> [String] { try has(key) ? words(key) : [] }

    /// A command: its program is an absolute path or begins with `./`.
    func command(_ key: String) throws(TableError) -> [String] {
        let words = try words(key)
        for program in words.prefix(1) { try requireProgram(program, key) }
        return words
    }

    func optionalCommand(_ key: String) throws(TableError) -> [String] { try has(key) ? command(key) : [] }

    func programs(_ key: String) throws(TableError) -> [String] {
        let words = try optionalWords(key)
        for program in words { try requireProgram(program, key) }
        return words
    }

    func number(_ key: String) throws(TableError) -> Int {
        let (line, value) = try entry(key)
        guard let number = Int(value), number >= 0 else {
            throw TableError(line: line, reason: "\(key): expected a number, not '\(value)'")
        }
        return number
    }

    /// One of the named values of a type.
    func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ key: String, of type: Choice.Type = Choice.self
    ) throws(TableError) -> Choice {
        let (line, value) = try entry(key)
        if let choice = Choice(rawValue: value) { return choice }
        let known = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw TableError(line: line, reason: "\(key): expected one of \(known), not '\(value)'")
    }

    private func entry(_ key: String) throws(TableError) -> (line: Int, value: String) {
        guard let entry = entries[key] else { throw TableError(line: line, reason: "\(key) is missing") }
        return entry
    }

    /// A relative path could name a program outside the home.
    private func requireProgram(_ program: String, _ key: String) throws(TableError) {
        let steps = program.split(separator: "/", omittingEmptySubsequences: false)
        guard program.hasPrefix("/") || program.hasPrefix("./"), !steps.contains("..") else {
            throw TableError(
                line: try entry(key).line, reason: "\(key): expected an absolute path or ./path, not '\(program)'")
        }
    }
}
