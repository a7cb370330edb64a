import HTTP
import Readability

/// One line of a batch: a page.
struct ExtractRequest {
    /// As the line has it, in JSON; what an answer is known by.
    let id: JSONSlice
    let url: String
    /// UTF-8, unless the line was none.
    let html: [UInt8]

    /// Why a line is no page.
    struct Refusal: Error {
        /// `null` where the line did not come so far.
        let id: JSONSlice
        let reason: String
    }

    /// Longest line that is read. The largest page has 20 MiB, and three times as many where every letter of it, Cyrillic say, is
    /// written as a `\u` escape.
    static let longestLine = 64_000_000

    init(_ line: LineReader.Line) throws(Refusal) {
        // Of equal names the last counts; but of a broken line, or one that was cut, all that is wanted is its id.
        var members: [String: ArraySlice<UInt8>] = [:]
        var html: [UInt8]?
        var walk = JSONWalk(line.bytes)
        var isObject = true
        do throws(JSONWalk.Malformed) {
            try walk.object { name, walk throws(JSONWalk.Malformed) in
                if name == "html" { html = try walk.stringBytes() } else { members[name] = try walk.slice() }
            }
            try walk.end()
        } catch {
            isObject = false
        }
        let id = JSONSlice(members["id"] ?? [])
        func refusal(_ reason: String) -> Refusal { Refusal(id: id, reason: reason) }

        if line.isTooLong { throw refusal("the line is longer than \(Self.longestLine / 1_000_000) MB") }
        if !isObject { throw refusal("the line is no JSON object") }
        guard members["id"] != nil else { throw refusal("the line has no id") }
        guard let html else { throw refusal("the line has no html") }
        // A page without an address is read all the same; its links stay as they are.
        let url = members["url"].flatMap(JSON.init) ?? .null
        guard url == .null || url.string != nil else { throw refusal("the line's url is no string") }
        self.id = id
        self.url = url.string ?? ""
        self.html = html
    }
}

/// JSON text that is handed through unread: a number keeps all of its digits.
struct JSONSlice {
    /// Valid UTF-8.
    let text: String

    init(_ bytes: ArraySlice<UInt8>) { text = bytes.isEmpty ? "null" : String(decoding: bytes, as: UTF8.self) }
}
