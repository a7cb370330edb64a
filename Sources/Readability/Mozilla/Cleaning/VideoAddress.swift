/// Recognises URLs of known video players.
enum VideoAddress {
    static func isMentioned(in text: String) -> Bool {
        let bytes = text.utf8.map(lowercased)
        for index in bytes.indices.dropLast()
        where bytes[index] == UInt8(ascii: "/") && bytes[index + 1] == UInt8(ascii: "/") {
            var rest = bytes[(index + 2)...]
            if rest.starts(with: "www.".utf8) { rest = rest.dropFirst(4) }
            if Vocabulary.videoHosts.contains(where: { rest.starts(with: $0) }) { return true }
        }
        return false
    }
}
