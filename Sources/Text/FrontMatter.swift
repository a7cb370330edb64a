/// What is known of a text, as YAML at its head: what note-taking programs and site generators read beside Markdown.
public struct FrontMatter: Equatable, Sendable {
    public enum Value: Equatable, Sendable {
        case text(String)
        case number(Int)
        case list([String])
    }

    private var members: [(name: String, value: Value)] = []

    public init() {}

    public static func == (one: FrontMatter, other: FrontMatter) -> Bool { one.yaml == other.yaml }

    /// Adds a member; an absent or empty value adds nothing.
    ///
    /// - Parameter name: ours, in letters and underscores: it is written as it is.
    public mutating func add(_ name: String, _ value: String?) {
        if let value, !value.isEmpty { members.append((name, .text(value))) }
    }

    public mutating func add(_ name: String, _ value: Int?) {
        if let value { members.append((name, .number(value))) }
    }

    public mutating func add(_ name: String, _ values: [String]) {
        if !values.isEmpty { members.append((name, .list(values))) }
    }

    /// The block with its fences and an empty line behind it; empty when nothing is known.
    public var yaml: String {
        guard !members.isEmpty else { return "" }
        var yaml = "---\n"
        for (name, value) in members {
            switch value {
            case .text(let text): yaml += "\(name): \(Self.quoted(text))\n"
            case .number(let number): yaml += "\(name): \(number)\n"
            case .list(let texts): yaml += "\(name): [" + texts.map(Self.quoted).joined(separator: ", ") + "]\n"
            }
        }
        return yaml + "---\n\n"
    }

    /// In double quotes, whatever it is: so a text is never a number, a date, a list, a reference or a tag, and never more than
    /// one line. Source: https://yaml.org/spec/1.2.2/#57-escaped-characters, which YAML 1.1 shares as far as it is used here.
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
                    quoted += (width == 2 ? "\\x" : "\\u") + String(repeating: "0", count: width - digits.utf8.count) + digits
                }
            }
        }
        return quoted + "\""
    }

    /// Characters that may stand in a YAML stream as they are, and end no line. None of those beyond them has more than four
    /// digits. Source: https://yaml.org/spec/1.1/#c-printable
    private static func isPrintable(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x20...0x7E, 0xA0...0x2027, 0x202A...0xFEFE, 0xFF00...0xFFFD, 0x10000...: true
        default: false
        }
    }
}
