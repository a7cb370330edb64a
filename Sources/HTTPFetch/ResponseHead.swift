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
    private(set) var etag: String?
    private(set) var lastModified: String?
    /// Bytes announced by Content-Length.
    private(set) var contentLength: Int?
    /// How many times the body is packed, of the content or for its transfer; chunks are no packing.
    private(set) var codings = 0

    /// Takes one line with its line end.
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

    /// The fields that matter; most lines of an answer are others, and are not even read.
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
                return known.count == name.count && zip(known, name).allSatisfy { $0 == ((0x41...0x5A).contains($1) ? $1 | 0x20 : $1) }
            }
            guard let field else { return nil }
            self = field
        }
    }

    /// A new status line begins anew: the lines of a `100 Continue` are not the answer's.
    private mutating func begin(statusLine: String) {
        let count = bytes
        self = ResponseHead()
        bytes = count
        let parts = statusLine.split(separator: " ", maxSplits: 2)
        status = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
    }

    /// Where a field comes twice the first counts, as in browsers; codings add up.
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

    /// The line without its end and without blanks there.
    private static func withoutEnd(_ line: UnsafeBufferPointer<UInt8>) -> UnsafeBufferPointer<UInt8> {
        var end = line.count
        while end > 0, [0x0D, 0x0A, 0x20, 0x09].contains(line[end - 1]) { end -= 1 }
        return UnsafeBufferPointer(rebasing: line[..<end])
    }

    /// Bytes that are no UTF-8 (a Location in Latin-1) become percent escapes, the one way they can reach the server unchanged.
    private static func text(of bytes: UnsafeBufferPointer<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        let digits = Array("0123456789ABCDEF".utf8)
        let escaped = bytes.flatMap { byte in
            byte < 0x80 ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        return String(decoding: escaped, as: UTF8.self)
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
