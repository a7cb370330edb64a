import HTTP

/// The fields of a form, in the order in which they were sent.
struct FormFields {
    private(set) var pairs: [(name: String, value: String)] = []

    /// The fields of `application/x-www-form-urlencoded`, as queries and forms have it. Nil for a broken escape, text that
    /// is not UTF-8, and more fields than the maximum.
    init?(urlEncoded text: some Collection<UInt8>, maximum: Int) {
        guard !text.isEmpty else { return }
        for pair in text.split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard pairs.count < maximum, let name = FormText.decoded(parts[0]),
                let value = parts.count == 2 ? FormText.decoded(parts[1]) : ""
            else { return nil }
            pairs.append((name, value))
        }
    }

    /// The fields of `multipart/form-data` (RFC 7578). Nil if a part is not closed or has no name, for text that is not
    /// UTF-8, and for more fields than the maximum.
    init?(multipart body: [UInt8], boundary: String, maximum: Int) {
        let delimiter = Array("--\(boundary)".utf8)
        // What precedes the first delimiter is ignored (RFC 2046, section 5.1.1).
        var place = body.starts(with: delimiter) ? delimiter.count : Self.end(of: delimiter, in: body, from: 0)?.after
        while let start = place {
            if body[start...].starts(with: Array("--".utf8)) { return }
            guard pairs.count < maximum, let line = Self.lineBreak(in: body, from: start),
                let header = Self.headers(in: body, from: line),
                let end = Self.end(of: delimiter, in: body, from: header.content - 2), let name = header.name,
                let value = Self.text(body[header.content..<max(header.content, end.before)])
            else { return nil }
            pairs.append((name, value))
            place = end.after
        }
        // The end is missing.
        return nil
    }

    /// The boundary in the type of a request's body; nil if the body is not `multipart/form-data`.
    static func boundary(of type: String?) -> String? {
        guard let type, type.lowercased().hasPrefix("multipart/form-data"), let value = parameter("boundary", of: type),
            (1...70).contains(value.utf8.count)
        else { return nil }
        return value
    }

    // MARK: - Parts

    /// Where the next line begins, if this one has nothing but white space.
    private static func lineBreak(in body: [UInt8], from start: Int) -> Int? {
        var place = start
        while place < body.count, body[place] == UInt8(ascii: " ") || body[place] == UInt8(ascii: "\t") { place += 1 }
        return isLineBreak(body, place) ? place + 2 : nil
    }

    private static func isLineBreak(_ body: [UInt8], _ place: Int) -> Bool {
        place + 1 < body.count && body[place] == UInt8(ascii: "\r") && body[place + 1] == UInt8(ascii: "\n")
    }

    /// The name in the headers of a part, and where its content begins.
    private static func headers(in body: [UInt8], from start: Int) -> (name: String?, content: Int)? {
        var (place, name) = (start, String?.none)
        // More bytes than the headers of any part have.
        while place < min(body.count, start + 4_096) {
            if isLineBreak(body, place) { return (name, place + 2) }
            var end = place
            while end < body.count, !isLineBreak(body, end) { end += 1 }
            guard let line = text(body[place..<end]) else { return nil }
            if line.lowercased().hasPrefix("content-disposition:") { name = parameter("name", of: line) }
            place = end + 2
        }
        return nil
    }

    /// Where a line break before the delimiter begins, and where the delimiter ends.
    private static func end(of delimiter: [UInt8], in body: [UInt8], from start: Int) -> (before: Int, after: Int)? {
        var place = max(0, start)
        while place + 2 + delimiter.count <= body.count {
            if isLineBreak(body, place), body[(place + 2)...].starts(with: delimiter) {
                return (place, place + 2 + delimiter.count)
            }
            place += 1
        }
        return nil
    }

    /// A parameter of a header, with or without quotes (RFC 9110, section 5.6.6).
    private static func parameter(_ name: String, of header: String) -> String? {
        var rest = header.drop { $0 != ";" }
        while rest.first == ";" {
            rest = rest.dropFirst().drop(while: \.isWhitespace)
            let key = rest.prefix { $0 != "=" && $0 != ";" }
            rest = rest.dropFirst(key.count)
            var value = ""
            if rest.first == "=" { (value, rest) = self.value(rest.dropFirst()) }
            if String(key).trimmed.lowercased() == name { return value }
            rest = rest.drop { $0 != ";" }
        }
        return nil
    }

    /// The value at the beginning of a text, and what follows it.
    private static func value(_ text: Substring) -> (value: String, rest: Substring) {
        guard text.first == "\"" else {
            let value = text.prefix { $0 != ";" }
            return (String(value).trimmed, text.dropFirst(value.count))
        }
        var (value, rest) = ("", text.dropFirst())
        while let next = rest.popFirst(), next != "\"" {
            // A backslash stands before a quotation mark in the value.
            if next == "\\", let escaped = rest.popFirst() { value.append(escaped) } else { value.append(next) }
        }
        return (value, rest)
    }

    private static func text(_ bytes: ArraySlice<UInt8>) -> String? {
        // PostgreSQL cannot store a NUL character.
        bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }
}
