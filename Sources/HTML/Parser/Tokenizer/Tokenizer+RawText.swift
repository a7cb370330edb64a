// The end of RCDATA, raw text and scripts: sections 13.2.5.9 to 13.2.5.31 of the standard.
extension Tokenizer {
    /// Returns the start of the end tag that matches the last start tag, or the end of the page.
    func endOfRawText() -> Int {
        var index = position
        while true {
            index = indexOf(UInt8(ascii: "<"), from: index)
            if index >= end || isEndTag(at: index) { return index }
            index += 1
        }
    }

    /// Same for scripts, which may contain `</script>` inside what looks like a comment with a `<script>` in it.
    func endOfScript() -> Int {
        enum Escape { case none, comment, script }
        var escape = Escape.none
        var dashes = 0
        var index = position
        while index < end {
            let byte = bytes[index]
            if byte == UInt8(ascii: "<") {
                switch escape {
                case .none:
                    if isEndTag(at: index) { return index }
                    if matches("<!--", at: index) {
                        escape = .comment
                        // Its own dashes count, so `<!-->` is closed immediately.
                        index += 4
                        dashes = 2
                        continue
                    }
                case .comment:
                    if isEndTag(at: index) { return index }
                    if isScriptTag("<script", at: index) { escape = .script }
                case .script:
                    if isScriptTag("</script", at: index) { escape = .comment }
                }
            } else if byte == UInt8(ascii: ">"), dashes >= 2 {
                escape = .none
            }
            dashes = byte == UInt8(ascii: "-") ? dashes + 1 : 0
            index += 1
        }
        return end
    }

    private func isScriptTag(_ word: StaticString, at index: Int) -> Bool {
        let next = index + word.utf8CodeUnitCount
        return matches(word, at: index) && next < end && Tokenizer.endsTagName(bytes[next])
    }

    private func isEndTag(at index: Int) -> Bool {
        guard index + 2 < end, bytes[index + 1] == UInt8(ascii: "/") else { return false }
        let name = elementNames.range(of: lastStartTag)
        let next = index + 2 + name.count
        guard next < end, Tokenizer.endsTagName(bytes[next]) else { return false }
        for place in 0..<name.count
        where lowercase(bytes[index + 2 + place]) != elementNames.bytes[name.lowerBound + place] { return false }
        return true
    }
}
