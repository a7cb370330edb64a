/// The id of a request in nginx, the worker, SQL and the logs.
enum RequestID {
    /// Accepts 1 to 64 letters, digits, `-` and `_`, which are safe in logs, SQL settings and headers.
    static func isValid(_ id: String) -> Bool {
        (1...64).contains(id.utf8.count)
            && id.utf8.allSatisfy { byte in
                switch byte {
                case UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "a")...UInt8(ascii: "z"),
                    UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
                    true
                default: false
                }
            }
    }

    /// Returns a new random id of 32 hex digits, the form of nginx's `$request_id`.
    static func make() -> String {
        var digits = ""
        for _ in 0..<2 {
            let half = String(UInt64.random(in: .min ... .max), radix: 16)
            digits += String(repeating: "0", count: 16 - half.count) + half
        }
        return digits
    }
}
