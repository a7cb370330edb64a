/// The environment of a service, as deploy/run writes it to `<home>/services/<name>.env`: lines `NAME='value'`.
enum ServiceEnvironment {
    /// Variables of every service. HOME keeps personal files such as ~/.pgpass from affecting a service.
    static let common = ["PATH=/usr/sbin:/usr/bin:/sbin:/bin", "LANG=C.UTF-8", "TZ=UTC", "HOME=/nonexistent"]

    /// Returns entries of the form `name=value`, the common variables first.
    static func parse(_ text: String) throws(TableError) -> [String] {
        var entries = common
        for (number, line) in lines(of: text) {
            let parts = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, isName(parts[0]), let value = quoted(parts[1]) else {
                throw TableError(line: number, reason: "expected NAME='value'")
            }
            entries.append("\(parts[0])=\(value)")
        }
        return entries
    }

    /// The text between single quotes. The format cannot express a quote in a value.
    private static func quoted(_ text: Substring) -> Substring? {
        guard text.utf8.count >= 2, text.hasPrefix("'"), text.hasSuffix("'") else { return nil }
        let value = text.dropFirst().dropLast()
        return value.contains("'") ? nil : value
    }

    private static func isName(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, !isDigit(first) else { return false }
        return text.utf8.allSatisfy {
            isDigit($0) || $0 == UInt8(ascii: "_") || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
