/// A setting: its name without `LECTERN_`, its meaning with the unit, its default, and the values it accepts.
public struct Setting: Sendable {
    public var name: String
    public var help: String
    /// Nil if the setting has no default: a program that requires it reports that it is missing.
    public var `default`: String?
    public var kind: Kind
    /// Whether the value is hidden when settings are shown.
    public var isSecret = false

    /// The values that a setting accepts.
    public enum Kind: Sendable, Equatable {
        case text
        case number(ClosedRange<Int>)
        /// A number of which 0 means no limit; `off` stands for 0.
        case quota(upTo: Int)
        case choice([String])
    }

    /// The problem with a value; nil if it is valid.
    func problem(with value: String) -> String? {
        switch kind {
        case .text:
            return value.utf8.contains(0) ? "must not contain a NUL character" : nil
        case .number(let range):
            guard let number = Int(value), range.contains(number) else {
                return "must be an integer from \(range.lowerBound) to \(range.upperBound)"
            }
            return nil
        case .quota(let most):
            guard value == "off" || Int(value).map((0...most).contains) == true else {
                return "must be an integer from 0 to \(most), or off"
            }
            return nil
        case .choice(let words):
            return words.contains(value) ? nil : "must be one of \(words.joined(separator: ", "))"
        }
    }
}
