import JSON
import Readability

/// One page of a batch.
struct ExtractRequest {
    /// The raw JSON of the id, repeated in the result.
    let id: JSONSlice
    let url: String
    /// The page as bytes: UTF-8 if the line is.
    let html: [UInt8]

    /// Why a line was rejected.
    struct Rejection: Error {
        /// `null` if no id was found.
        let id: JSONSlice
        let reason: String
    }

    /// The longest accepted line, in bytes. The largest page has 20 MiB; JSON needs three times that when every letter,
    /// Cyrillic for example, is a `\u` escape.
    static let maxLineBytes = 64_000_000

    init(_ line: LineReader.Line) throws(Rejection) {
        // The last of equal names counts. A broken or truncated line yields only its id.
        var members: [String: ArraySlice<UInt8>] = [:]
        var html: [UInt8]?
        var reader = JSONReader(line.bytes)
        var isObject = true
        do throws(JSONReader.Malformed) {
            try reader.object { name, reader throws(JSONReader.Malformed) in
                if name == "html" {
                    html = try reader.stringBytes(capacity: line.bytes.count)
                } else {
                    members[name] = try reader.slice()
                }
            }
            try reader.end()
        } catch {
            isObject = false
        }
        let id = JSONSlice(members["id"] ?? [])
        func rejection(_ reason: String) -> Rejection { Rejection(id: id, reason: reason) }

        if line.isTooLong { throw rejection("the line is longer than \(Self.maxLineBytes / 1_000_000) MB") }
        if !isObject { throw rejection("the line is not a JSON object") }
        guard members["id"] != nil else { throw rejection("the line has no id") }
        guard let html else { throw rejection("the line has no html") }
        // A page without a URL is extracted too; its relative links stay as they are.
        let url = members["url"].flatMap(JSON.init) ?? .null
        guard url == .null || url.string != nil else { throw rejection("url is not a string") }
        self.id = id
        self.url = url.string ?? ""
        self.html = html
    }
}

/// JSON text that is passed through unparsed, so that a number keeps all its digits.
struct JSONSlice {
    /// Valid UTF-8.
    let text: String

    init(_ bytes: ArraySlice<UInt8>) { text = bytes.isEmpty ? "null" : String(decoding: bytes, as: UTF8.self) }
}
