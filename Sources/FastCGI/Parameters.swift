internal import CFastCGI
internal import HTTP

/// The parameters of one request, `name=value` each, as FastCGI and CGI both bring them.
struct Parameters {
    /// A NULL-terminated array that outlives this value.
    let list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    /// What a request is made of before its body is read.
    struct Head {
        var request: Request
        /// CONTENT_LENGTH in bytes; nil when it was not given.
        var contentLength: Int?
        /// Why it cannot be let in, whatever its body.
        var refusal: RequestRejection?
    }

    /// Builds the request. `idParameter` names the parameter that holds its id.
    func head(idParameter: String, fieldLimit: Int) -> Head {
        var head = Head(request: Request(method: "", path: "", id: ""))
        var count = 0
        var target: UnsafeRawBufferPointer?
        var index = 0
        while let entry = list[index] {
            index += 1
            let text = UnsafeRawBufferPointer(start: entry, count: strlen(entry))
            guard let equals = text.firstIndex(of: UInt8(ascii: "=")) else { continue }
            count += 1
            if count > fieldLimit {
                head.refusal = .tooManyFields(limit: fieldLimit)
                break
            }
            let name = String(decoding: text[..<equals], as: UTF8.self)
            let value = UnsafeRawBufferPointer(rebasing: text[(equals + 1)...])
            switch name {
            case "REQUEST_METHOD": head.request.method = string(value)
            case "REQUEST_URI": target = value
            case "REMOTE_ADDR": head.request.remoteAddress = value.isEmpty ? nil : string(value)
            case "CONTENT_TYPE": if !value.isEmpty { head.request.headers.add("content-type", string(value)) }
            case "CONTENT_LENGTH": take(contentLength: value, into: &head)
            case idParameter: head.request.id = string(value)
            default:
                // nginx sends a header that stands twice as two parameters; both are kept, in their order.
                if name.hasPrefix("HTTP_") { head.request.headers.add(Self.fieldName(name), string(value)) }
            }
        }
        if !RequestID.isValid(head.request.id) { head.request.id = RequestID.make() }
        if let target { split(target, into: &head.request) }
        if head.request.method.isEmpty || head.request.path.isEmpty { head.refusal = head.refusal ?? .malformed }
        return head
    }

    private func take(contentLength value: UnsafeRawBufferPointer, into head: inout Head) {
        if value.isEmpty { return }
        // Digits only: Int's parser would also take a sign.
        guard value.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }), let length = Int(string(value))
        else {
            head.refusal = .malformed
            return
        }
        head.contentLength = length
        head.request.headers.add("content-length", String(length))
    }

    private func split(_ target: UnsafeRawBufferPointer, into request: inout Request) {
        let mark = target.firstIndex(of: UInt8(ascii: "?")) ?? target.endIndex
        request.path = encoded(target[..<mark])
        request.query = encoded(target[mark...].dropFirst())
    }

    /// A part of the request target as sent, but bytes outside ASCII, which RFC 3986 does not allow there, percent-encoded.
    /// So nothing is lost when they are no UTF-8, and whoever decodes them decides what to make of that.
    private func encoded(_ part: Slice<UnsafeRawBufferPointer>) -> String {
        if part.allSatisfy({ $0 < 0x80 }) { return String(decoding: part, as: UTF8.self) }
        let digits = Array("0123456789ABCDEF".utf8)
        var bytes: [UInt8] = []
        for byte in part {
            if byte < 0x80 {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    private func string(_ bytes: UnsafeRawBufferPointer) -> String { String(decoding: bytes, as: UTF8.self) }

    /// `HTTP_IF_NONE_MATCH` → `if-none-match`.
    private static func fieldName(_ parameter: String) -> String {
        String(decoding: parameter.utf8.dropFirst(5).map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }, as: UTF8.self)
    }
}

/// The id that follows a request through nginx, worker, SQL and logs.
enum RequestID {
    /// 1 to 64 letters, digits, `-`, `_`: safe in logs, SQL settings and headers.
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

    /// A fresh id of 32 hex digits, the form nginx's `$request_id` has.
    static func make() -> String {
        var digits = ""
        for _ in 0..<2 {
            let half = String(UInt64.random(in: .min ... .max), radix: 16)
            digits += String(repeating: "0", count: 16 - half.count) + half
        }
        return digits
    }
}
