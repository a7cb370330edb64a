/// Limits that a confined process receives as program arguments.
public protocol ProcessLimits: Equatable, Sendable {
    typealias Field = (name: String, path: WritableKeyPath<Self, Int> & Sendable)

    /// The limits that are passed, in the order of the arguments.
    static var fields: [Field] { get }

    /// The processor time for one request, in seconds.
    var seconds: Int { get }

    /// The default limits.
    init()
}

extension ProcessLimits {
    /// How long to wait for an answer. With other load, the process may get only a quarter of a processor.
    public var responseTimeout: Duration { .seconds(4 * seconds + 5) }

    /// `name=number` for each limit.
    public var arguments: [String] { Self.fields.map { "\($0.name)=\(self[keyPath: $0.path])" } }

    /// - Returns: nil unless the arguments have the form of ``arguments``.
    public init?(arguments: [String]) {
        guard arguments.count == Self.fields.count else { return nil }
        self.init()
        for (field, argument) in zip(Self.fields, arguments) {
            guard argument.hasPrefix(field.name + "="), let number = Int(argument.dropFirst(field.name.count + 1)),
                number >= 0
            else { return nil }
            self[keyPath: field.path] = number
        }
    }
}
