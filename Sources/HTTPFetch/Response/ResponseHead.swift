/// The header fields of one response that a fetch needs.
struct ResponseHead: Equatable {
    /// 0 until a status line has arrived.
    private(set) var status = 0
    /// Whether the empty line after the final response's header fields has arrived.
    private(set) var isComplete = false
    /// The bytes of all lines so far, including interim responses and trailers, which can be long too.
    private(set) var bytes = 0

    private(set) var location: String?
    private(set) var refresh: String?
    private(set) var retryAfter: String?
    private(set) var contentType: ContentType?
    private(set) var etag: String?
    private(set) var lastModified: String?
    /// The value of Content-Length, in bytes.
    private(set) var contentLength: Int?
    /// The number of content and transfer codings of the body. `chunked` does not count.
    private(set) var codings = 0

    /// Processes one line, which includes its line end.
    mutating func receive(_ line: UnsafeBufferPointer<UInt8>) {
        bytes += line.count
        let line = ResponseHead.withoutEnd(line)
        if line.isEmpty {
            isComplete = status >= 200
        } else if line.starts(with: "HTTP/".utf8), !isComplete {
            begin(statusLine: ResponseHead.text(of: line))
        } else if !isComplete, let colon = line.firstIndex(of: UInt8(ascii: ":")),
            let field = Field(UnsafeBufferPointer(rebasing: line[..<colon]))
        {
            let value = line[(colon + 1)...].drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
            receive(field, value: ResponseHead.text(of: UnsafeBufferPointer(rebasing: value)))
        }
    }

    /// The relevant fields. Most lines have other fields and are skipped.
    private enum Field: String, CaseIterable {
        case location, refresh, etag
        case retryAfter = "retry-after"
        case contentType = "content-type"
        case contentLength = "content-length"
        case lastModified = "last-modified"
        case contentEncoding = "content-encoding"
        case transferEncoding = "transfer-encoding"

        init?(_ name: UnsafeBufferPointer<UInt8>) {
            let field = Field.allCases.first { field in
                let known = field.rawValue.utf8
                return known.count == name.count
                    && zip(known, name).allSatisfy { $0 == ((0x41...0x5A).contains($1) ? $1 | 0x20 : $1) }
            }
            guard let field else { return nil }
            self = field
        }
    }

    /// Starts a new head: the fields of a `100 Continue` do not belong to the final response.
    private mutating func begin(statusLine: String) {
        let count = bytes
        self = ResponseHead()
        bytes = count
        let parts = statusLine.split(separator: " ", maxSplits: 2)
        status = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    }

    /// The first of repeated fields counts, as in browsers. Codings add up.
    private mutating func receive(_ field: Field, value: String) {
        switch field {
        case .location: location = location ?? value
        case .refresh: refresh = refresh ?? value
        case .retryAfter: retryAfter = retryAfter ?? value
        case .contentType: contentType = contentType ?? ContentType(value)
        case .etag: etag = etag ?? value
        case .lastModified: lastModified = lastModified ?? value
        case .contentLength: contentLength = contentLength ?? Int(value)
        case .contentEncoding, .transferEncoding: codings += ResponseHead.codings(in: value)
        }
    }

    private static func codings(in list: String) -> Int {
        list.split(separator: ",").count { coding in
            !["", "identity", "chunked"].contains(coding.filter { !$0.isWhitespace }.lowercased())
        }
    }

    /// Returns the line without its line end and trailing blanks.
    private static func withoutEnd(_ line: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        var end = line.count
        while end > 0, [0x0D, 0x0A, 0x20, 0x09].contains(line[end - 1]) { end -= 1 }
        return UnsafeBufferPointer(rebasing: line[..<end])
    }

    /// Decodes UTF-8. Other bytes (a Location in Latin-1) become percent escapes, the only form in which they reach the
    /// server unchanged.
    private static func text(of bytes: UnsafeBufferPointer<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let digits = Array("0123456789ABCDEF".utf8)
        let escaped = bytes.flatMap { byte in
            byte < 0x80 ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: escaped, as: UTF8.self)
    }
}
