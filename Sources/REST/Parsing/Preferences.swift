/// The `Prefer` header (RFC 7240) as PostgREST reads it. Several headers and comma-separated lists form one list; the
/// first value of each preference counts.
public struct Preferences: Sendable, Equatable {
    public var returns: Returns?
    public var resolution: Resolution?
    public var count: Count?
    public var missing: Missing?
    public var transaction: Transaction?
    public var handling: Handling?
    public var timezone: String?
    public var maxAffected: Int?
    /// Unknown preferences; `handling=strict` refuses them.
    public private(set) var unknown: [String] = []

    public enum Returns: String, Sendable { case minimal, headersOnly = "headers-only", representation }
    public enum Resolution: String, Sendable {
        case mergeDuplicates = "merge-duplicates"
        case ignoreDuplicates = "ignore-duplicates"
    }
    public enum Count: String, Sendable { case exact, planned, estimated }
    public enum Missing: String, Sendable { case `default`, null }
    public enum Transaction: String, Sendable { case commit, rollback }
    public enum Handling: String, Sendable { case strict, lenient }

    /// - Parameter headers: the values of all `Prefer` headers, in order.
    public init(_ headers: [String]) {
        for part in headers.flatMap({ $0.split(separator: ",") }) {
            let text = part.trimmed
            let pieces = text.split(separator: "=", maxSplits: 1)
            guard pieces.count == 2 else {
                if !text.isEmpty { unknown.append(String(text)) }
                continue
            }
            read(String(pieces[0].trimmed), String(pieces[1].trimmed), whole: String(text))
        }
    }

    private mutating func read(_ name: String, _ value: String, whole: String) {
        switch name {
        case "return": set(Returns.init, value, in: \.returns, whole)
        case "resolution": set(Resolution.init, value, in: \.resolution, whole)
        case "count": set(Count.init, value, in: \.count, whole)
        case "missing": set(Missing.init, value, in: \.missing, whole)
        case "tx": set(Transaction.init, value, in: \.transaction, whole)
        case "handling": set(Handling.init, value, in: \.handling, whole)
        case "timezone": if timezone == nil { timezone = value }
        case "max-affected": set({ Int($0).flatMap { $0 >= 0 ? $0 : nil } }, value, in: \.maxAffected, whole)
        default: unknown.append(whole)
        }
    }

    private mutating func set<Value>(
        _ parse: (String) -> Value?, _ text: String, in property: WritableKeyPath<Self, Value?>, _ whole: String
    ) {
        guard let value = parse(text) else { return unknown.append(whole) }
        if self[keyPath: property] == nil { self[keyPath: property] = value }
    }
}

extension Substring {
    /// Without spaces and tabs at both ends.
    var trimmed: Substring {
        var rest = self
        while let first = rest.first, first == " " || first == "\t" { rest.removeFirst() }
        while let last = rest.last, last == " " || last == "\t" { rest.removeLast() }
        return rest
    }
}
