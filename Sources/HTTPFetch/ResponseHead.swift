/// The header lines of one answer, as far as a fetch needs them.
struct ResponseHead: Equatable {
    /// 0 until a status line came.
    private(set) var status = 0
    /// Whether the empty line after the final answer's headers has come.
    private(set) var isComplete = false
    /// Bytes of all lines so far: interim answers and trailers count, since they too are only promised to be short.
    private(set) var bytes = 0

    private(set) var location: String?
    private(set) var refresh: String?
    private(set) var retryAfter: String?
    private(set) var contentType: ContentType?
    /// Bytes announced by Content-Length.
    private(set) var contentLength: Int?

    /// Takes one line with its line end.
    mutating func receive(_ line: UnsafeBufferPointer<UInt8>) {
        bytes += line.count
        let text = ResponseHead.text(of: line)
        if text.isEmpty {
            isComplete = status >= 200
        } else if text.hasPrefix("HTTP/"), !isComplete {
            begin(statusLine: text)
        } else if !isComplete, let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) {
            let value = text[text.utf8.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
            receive(name: text[..<colon].lowercased(), value: String(value))
        }
    }

    /// A new status line begins anew: the lines of a `100 Continue` are not the answer's.
    private mutating func begin(statusLine: Substring) {
        let count = bytes
        self = ResponseHead()
        bytes = count
        let parts = statusLine.split(separator: " ", maxSplits: 2)
        status = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    }

    /// Where a field comes twice the first counts, as in browsers.
    private mutating func receive(name: String, value: String) {
        switch name {
        case "location": location = location ?? value
        case "refresh": refresh = refresh ?? value
        case "retry-after": retryAfter = retryAfter ?? value
        case "content-type": contentType = contentType ?? ContentType(value)
        case "content-length": contentLength = contentLength ?? Int(value)
        default: break
        }
    }

    /// The line without its end and without blanks there. Bytes that are no UTF-8 (a Location in Latin-1) become percent
    /// escapes, the one way they can reach the server unchanged.
    private static func text(of line: UnsafeBufferPointer<UInt8>) -> Substring {
        var end = line.count
        while end > 0, [0x0D, 0x0A, 0x20, 0x09].contains(line[end - 1]) { end -= 1 }
        let bytes = line[..<end]
        if let text = String(validating: bytes, as: UTF8.self) { return Substring(text) }
        let digits = Array("0123456789ABCDEF".utf8)
        let escaped = bytes.flatMap { byte in
            byte < 0x80 ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return Substring(String(decoding: escaped, as: UTF8.self))
    }
}

/// A Content-Type field, read leniently.
struct ContentType: Equatable {
    /// `type/subtype` in lower case.
    var mediaType: String
    /// The `charset` parameter without quotes, as written.
    var charset: String?

    /// Nil where there is no `type/subtype` at all.
    init?(_ value: String) {
        // Several values joined by commas are several fields; the first is meant.
        let parts = value.split(separator: ";", omittingEmptySubsequences: false)
        guard let first = parts.first?.split(separator: ",").first else { return nil }
        mediaType = first.filter { !$0.isWhitespace }.lowercased()
        guard mediaType.contains("/") else { return nil }
        for parameter in parts.dropFirst() {
            let pair = parameter.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0].filter({ !$0.isWhitespace }).lowercased() == "charset" else { continue }
            let label = pair[1].prefix { $0 != "," }.filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
            if charset == nil, !label.isEmpty { charset = label }
        }
    }
}
