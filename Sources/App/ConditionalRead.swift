import Auth
import HTTP
import Postgres
import REST
import Schema

/// The entity tag of a read (RFC 9110, 8.8.3): while a user's change counter stands still, the same question has the
/// same answer, and need not be asked of the tables.
struct ConditionalRead {
    /// Stands for everything the answer depends on besides the user's rows.
    private let question: UInt64

    /// What the server does by itself, which moves no counter.
    private static let uncounted: [Resource] = [.table("jobs"), .table("batches")]

    /// Nil for a caller without rows of its own, whose answers no counter tells about.
    init?(_ request: Request, _ resource: Resource, _ plan: Plan, _ caller: Caller, _ schema: SchemaVersion) {
        guard plan.action == .read, !Self.uncounted.contains(resource), caller.role == .authenticated, let user = caller.userID else { return nil }
        var hash = FNV1a()
        for part in [user, "\(resource)", request.query, schema.fingerprint] + PlanCache.fields(of: request) {
            hash.add(part)
        }
        question = hash.value
    }

    func tag(_ changes: Int) -> String { "W/\"\(String(question, radix: 16))-\(changes)\"" }

    /// The counter as it was when the client was given its answer; nil when it holds none to this question.
    func known(to headers: Headers) -> Int? {
        let start = "\"" + String(question, radix: 16) + "-"
        for value in headers.values("if-none-match") {
            for tag in value.split(separator: ",") {
                var text = tag.drop { $0 == " " }
                // Weak or not: the tags are compared weakly (RFC 9110, 13.1.2).
                if text.hasPrefix("W/") { text = text.dropFirst(2) }
                while text.last == " " { text.removeLast() }
                guard text.hasPrefix(start), text.hasSuffix("\"") else { continue }
                let digits = text.dropFirst(start.count).dropLast()
                if digits.allSatisfy(\.isNumber), let changes = Int(digits) { return changes }
            }
        }
        return nil
    }

    /// The statement that asks for the counter alone.
    static let changes: SQL = "select " + Plan.changeCounter
}

/// Fowler, Noll and Vo's hash: the same in every process, which Swift's own is not. Tells questions apart, keeps no
/// secrets.
private struct FNV1a {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    mutating func add(_ text: String) {
        for byte in text.utf8 { mix(byte) }
        // Between two parts, so that "ab", "c" is not "a", "bc".
        mix(0xFF)
    }

    private mutating func mix(_ byte: UInt8) {
        value ^= UInt64(byte)
        value &*= 0x100_0000_01B3
    }
}
