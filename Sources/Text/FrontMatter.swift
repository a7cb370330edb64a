/// Metadata of a text as YAML front matter, which note-taking programs and site generators read together with Markdown.
public struct FrontMatter: Equatable, Sendable {
    public enum Value: Equatable, Sendable {
        case text(String)
        case number(Int)
        case list([String])
        case flag(Bool)
    }

    private var members: [(name: String, value: Value)] = []

    public init() {}

    public static func == (one: FrontMatter, other: FrontMatter) -> Bool { one.yaml == other.yaml }

    /// Adds a member. Adds nothing if the value is nil or empty.
    ///
    /// - Parameter name: a constant of letters and underscores; it is written without quotes.
    public mutating func add(_ name: String, _ value: String?) {
        if let value, !value.isEmpty { members.append((name, .text(value))) }
    }

    public mutating func add(_ name: String, _ value: Int?) {
        if let value { members.append((name, .number(value))) }
    }

    public mutating func add(_ name: String, _ value: Bool) { members.append((name, .flag(value))) }

    public mutating func add(_ name: String, _ values: [String]) {
        if !values.isEmpty { members.append((name, .list(values))) }
    }

    /// The YAML block with its fences and an empty line after it; empty if there are no members.
    public var yaml: String {
        guard !members.isEmpty else { return "" }
        var yaml = "---\n"
        for (name, value) in members {
            switch value {
            case .text(let text): yaml += "\(name): \(Self.quoted(text))\n"
            case .number(let number): yaml += "\(name): \(number)\n"
            case .flag(let flag): yaml += "\(name): \(flag)\n"
            case .list(let texts): yaml += "\(name): [" + texts.map(Self.quoted).joined(separator: ", ") + "]\n"
            }
        }
        return yaml + "---\n\n"
    }

    /// Returns the text in double quotes, so that it is never read as a number, date, list, reference or tag, and
    /// always fits on one line. Source: https://yaml.org/spec/1.2.2/#57-escaped-characters; YAML 1.1 supports all
    /// escapes used here.
    static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\t": quoted += "\\t"
            default:
                if isPrintable(scalar) {
                    quoted.unicodeScalars.append(scalar)
                } else {
                    let digits = String(scalar.value, radix: 16, uppercase: true)
                    let width = scalar.value <= 0xFF ? 2 : 4
                    quoted +=
                        (width == 2 ? "\\x" : "\\u") + String(repeating: "0", count: width - digits.utf8.count) + digits
                }
            }
        }
        return quoted + "\""
    }

    /// Characters that a YAML stream may contain unescaped, except line ends. All characters outside these ranges have
    /// at most four hexadecimal digits. Source: https://yaml.org/spec/1.1/#c-printable
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xFEFE, 0xFF00...0xFFFD, 0x10000...: true
        default: false
        }
    }
}
