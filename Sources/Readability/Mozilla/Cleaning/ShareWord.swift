/// Finds `share` or `sharedaddy` as a separate word in a class or id.
enum ShareWord {
    static func occurs(in text: [UInt8]) -> Bool {
        let text = text.map(lowercased)
        guard text.count >= 5 else { return false }
        for index in 0...(text.count - 5) where text[index...].starts(with: "share".utf8) {
            guard index == 0 || isEdge(text[index - 1]) else { continue }
            for end in [index + 5, index + 10] where end <= text.count {
                guard end == index + 5 || text[(index + 5)...].starts(with: "daddy".utf8) else { continue }
                if end == text.count || isEdge(text[end]) { return true }
            }
        }
        return false
    }

    private static func isEdge(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "_") || !isWordCharacter(byte) }
}
