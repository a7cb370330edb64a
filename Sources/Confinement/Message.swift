/// A message between two processes: a list of fields, each with bytes or nil.
///
/// The encoding is a length in four bytes, lowest byte first, followed by the fields, each after its own length. A
/// field's length is the number of its bytes plus 1, and 0 means nil. The format is this simple because its reader must
/// not trust the writer.
public struct Message: Equatable, Sendable {
    public var fields: [[UInt8]?]

    /// The most fields. An empty field has four bytes in the encoding but uses more in memory.
    static let mostFields = 32

    public init(_ fields: [[UInt8]?]) { self.fields = fields }

    /// - Returns: nil when the bytes are not a message.
    init?(body: [UInt8]) {
        var fields: [[UInt8]?] = []
        var rest = body[...]
        while !rest.isEmpty {
            guard fields.count < Self.mostFields, let length = Self.number(rest.prefix(4)) else { return nil }
            rest = rest.dropFirst(4)
            guard length > 0 else {
                fields.append(nil)
                continue
            }
            guard length - 1 <= rest.count else { return nil }
            fields.append(Array(rest.prefix(length - 1)))
            rest = rest.dropFirst(length - 1)
        }
        self.fields = fields
    }

    /// The encoded message with its length in front. Nil when it is longer than 4 GiB, which a length cannot express,
    /// or has too many fields.
    var bytes: [UInt8]? {
        let count = fields.reduce(0) { $0 + 4 + ($1?.count ?? 0) }
        guard count < UInt32.max, fields.count <= Self.mostFields else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(4 + count)
        bytes += Self.bytes(of: count)
        for field in fields {
            bytes += Self.bytes(of: field.map { $0.count + 1 } ?? 0)
            if let field { bytes += field }
        }
        return bytes
    }

    /// - Returns: nil unless there are four bytes.
    static func number(_ bytes: some Collection<UInt8>) -> Int? {
        guard bytes.count == 4 else { return nil }
        return bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func bytes(of number: Int) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) }
    }
}
