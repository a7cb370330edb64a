/// What passes between two processes: fields that hold bytes or nothing.
///
/// On the wire a length in four bytes, then each field behind its own, lowest byte first; a field's length is one more
/// than it has bytes, 0 is nothing. No more than this, because the reader of an answer must not trust who wrote it.
public struct Message: Equatable, Sendable {
    public var fields: [[UInt8]?]

    /// Fields, at most: each takes more memory than the four bytes that one without content has on the wire.
    static let mostFields = 32

    public init(_ fields: [[UInt8]?]) { self.fields = fields }

    /// - Returns: nil when the bytes are no message.
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

    /// With the length in front; nil when it is longer than lengths can tell, 4 GiB, or has too many fields to be read.
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

    /// - Returns: nil when there are not four bytes.
    static func number(_ bytes: some Collection<UInt8>) -> Int? {
        guard bytes.count == 4 else { return nil }
        return bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    private static func bytes(of number: Int) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> ($0 * 8)) } }
}
