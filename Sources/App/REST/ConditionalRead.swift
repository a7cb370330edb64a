import Auth
import HTTP
import Postgres
import REST

/// The entity tag of a read (RFC 9110, 8.8.3): a fingerprint of the request and the user's change counter. While the
/// counter stays the same, the same request has the same response, and the tables need not be read.
struct ConditionalRead {
    /// Covers everything that the response depends on besides the user's rows.
    private let fingerprint: UInt64
    /// The statement that reads the counter alone.
    let changeCounter: SQL

    /// Nil for a write, for relations whose rows change without the counter, such as those of the queue, and for a caller
    /// without a user, whose responses do not depend on a counter.
    init?(_ request: Request, _ resource: Resource, _ plan: Plan, _ caller: Caller, schema: String) {
        guard plan.action == .read, plan.isCounted, caller.role == .authenticated,
            let user = caller.userID
        else { return nil }
        var hash = FNV1a()
        let parts = [user, "\(resource)", request.query, schema]
        for part in parts + PlanCache.fields(of: request) { hash.add(part) }
        fingerprint = hash.value
        changeCounter = "select " + plan.changeCounter
    }

    /// - Parameter parts: what the document depends on besides the user's rows.
    init(ofDocument parts: [String]) {
        var hash = FNV1a()
        for part in parts { hash.add(part) }
        fingerprint = hash.value
        changeCounter = "select " + Plan.writeCounter
    }

    func tag(_ changes: Int) -> String { "W/\"\(String(fingerprint, radix: 16))-\(changes)\"" }

    /// The response 304, when the client's copy is current; else nil.
    func notModified(_ headers: Headers, as transaction: some TransactionRunner) throws -> Response? {
        guard let counter = counter(in: headers) else { return nil }
        let rows = try transaction.run([changeCounter])
        guard rows[0].int(0, 0) == counter else { return nil }
        return Response(status: 304, headers: ["etag": tag(counter)])
    }

    /// The counter in the client's entity tag for this request; nil when `If-None-Match` holds no such tag.
    func counter(in headers: Headers) -> Int? {
        let start = "\"" + String(fingerprint, radix: 16) + "-"
        for value in headers.values("if-none-match") {
            for tag in value.split(separator: ",") {
                var text = tag.drop { $0 == " " }
                // The comparison is weak (RFC 9110, 13.1.2), so W/ makes no difference.
                if text.hasPrefix("W/") { text = text.dropFirst(2) }
                while text.last == " " { text.removeLast() }
                guard text.hasPrefix(start), text.hasSuffix("\"") else { continue }
                let digits = text.dropFirst(start.count).dropLast()
                if digits.allSatisfy(\.isNumber), let changes = Int(digits) { return changes }
            }
        }
        return nil
    }
}

/// The hash of Fowler, Noll and Vo. Unlike Swift's hash it is the same in every process. It is not cryptographic.
private struct FNV1a {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ text: String) {
        for byte in text.utf8 { mix(byte) }
        // Separates parts, so that "ab", "c" differs from "a", "bc".
        mix(0xFF)
    }

    private mutating func mix(_ byte: UInt8) {
        value ^= UInt64(byte)
        value &*= 0x100_0000_01B3
    }
}
