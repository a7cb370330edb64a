/// Prepares a page's bytes for the tokenizer, following section 13.2.3 of the standard.
enum SourceText {
    /// Returns valid UTF-8 without a byte order mark and with every line end as a line feed.
    static func prepared(_ source: consuming [UInt8]) -> [UInt8] {
        var text = isValid(source.span) ? source : Array(String(decoding: source, as: UTF8.self).utf8)
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { text.removeFirst(3) }
        normaliseLineEnds(of: &text)
        return text
    }

    private static func isValid(_ text: Span<UInt8>) -> Bool { (try? UTF8Span(validating: text)) != nil }

    static func normaliseLineEnds(of text: inout [UInt8]) {
        guard var written = text.firstIndex(of: 0x0D) else { return }
        var index = written
        let count = text.count
        var bytes = text.mutableSpan
        while index < count {
            let byte = bytes[index]
            bytes[written] = byte == 0x0D ? 0x0A : byte
            written += 1
            index += byte == 0x0D && index + 1 < count && bytes[index + 1] == 0x0A ? 2 : 1
        }
        text.removeLast(count - written)
    }
}
