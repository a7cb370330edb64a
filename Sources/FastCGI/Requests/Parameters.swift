internal import CFastCGI
internal import HTTP

/// The parameters of one request in the form `name=value`, which FastCGI and CGI share.
struct Parameters {
    /// A NULL-terminated array that outlives this value.
    let list: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

    /// The parts of a request that are known before its body is read.
    struct Head {
        var request: Request
        /// CONTENT_LENGTH in bytes, or nil when it is missing.
        var contentLength: Int?
        /// The reason to reject the request, whatever its body is.
        var rejection: RequestRejection?
    }

    /// Builds the request. `idParameter` is the name of the parameter that holds its id.
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
                head.rejection = .tooManyFields(limit: fieldLimit)
                break
            }
            let name = String(decoding: text[..<equals], as: UTF8.self)
            let value = UnsafeRawBufferPointer(rebasing: text[(equals + 1)...])
            switch name {
            case "REQUEST_METHOD": head.request.method = string(value)
            case "REQUEST_URI": target = value
            case "REMOTE_ADDR": head.request.remoteAddress = value.isEmpty ? nil : string(value)
            case "CONTENT_TYPE": if !value.isEmpty { head.request.headers.add("content-type", string(value)) }
            case "CONTENT_LENGTH": parse(contentLength: value, into: &head)
            case idParameter: head.request.id = string(value)
            default:
                // nginx sends a repeated header field as two parameters. Both are kept, in their order.
                if name.hasPrefix("HTTP_") { head.request.headers.add(Self.fieldName(name), string(value)) }
            }
        }
        if !RequestID.isValid(head.request.id) { head.request.id = RequestID.make() }
        if let target { split(target, into: &head.request) }
        if head.request.method.isEmpty || head.request.path.isEmpty { head.rejection = head.rejection ?? .malformed }
        return head
    }

    private func parse(contentLength value: UnsafeRawBufferPointer, into head: inout Head) {
        if value.isEmpty { return }
        // Digits only: Int's parser would also accept a sign.
        guard value.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }), let length = Int(string(value))
        else {
            head.rejection = .malformed
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

    /// Returns a part of the request target as sent, except that bytes outside ASCII, which RFC 3986 does not allow
    /// there, are percent-encoded. Bytes that are not valid UTF-8 are thus preserved, and the decoder decides how to
    /// treat them.
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
        let name = parameter.utf8.dropFirst(5).map { $0 == UInt8(ascii: "_") ? UInt8(ascii: "-") : $0 }
        return String(decoding: name, as: UTF8.self)
    }
}
