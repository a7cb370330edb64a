// Markup declarations and comments: sections 13.2.5.41 to 13.2.5.52 of the standard.
extension Tokenizer {
    /// Reads the declaration after `<!`.
    mutating func declaration() -> Token? {
        let body = position + 1
        if matches("--", at: body) {
            position = body + 2
            return comment()
        }
        if matches("doctype", at: body) {
            position = body + 7
            readDoctype()
            return .doctype
        }
        if allowsCDATA, matches("[CDATA[", at: body, isFolding: false) {
            position = body + 7
            content = .cdata
            return nil
        }
        position = body
        return bogusComment()
    }

    func matches(_ word: StaticString, at index: Int, isFolding: Bool = true) -> Bool {
        let count = word.utf8CodeUnitCount
        guard index + count <= end else { return false }
        return word.withUTF8Buffer { wanted in
            for place in 0..<count {
                let byte = isFolding ? lowercase(bytes[index + place]) : bytes[index + place]
                if byte != wanted[place] { return false }
            }
            return true
        }
    }

    /// Reads the comment after `<!--`. An unclosed comment extends to the end of the page.
    private mutating func comment() -> Token? {
        let start = position
        if start < end, bytes[start] == UInt8(ascii: ">") { return comment(start, start, next: start + 1) }
        if matches("->", at: start) { return comment(start, start, next: start + 2) }
        var index = start
        while true {
            index = indexOf(UInt8(ascii: "-"), from: index)
            guard index < end else { break }
            if matches("-->", at: index) { return comment(start, index, next: index + 3) }
            if matches("--!>", at: index) { return comment(start, index, next: index + 4) }
            index += 1
        }
        var stop = end
        if stop - start >= 3, matches("--!", at: stop - 3) {
            stop -= 3
        } else {
            for _ in 0..<2 where stop > start && bytes[stop - 1] == UInt8(ascii: "-") { stop -= 1 }
        }
        return comment(start, stop, next: end)
    }

    /// Reads a comment that ends at the next `>`.
    mutating func bogusComment() -> Token? {
        let stop = indexOf(UInt8(ascii: ">"), from: position)
        return comment(position, stop, next: min(stop + 1, end))
    }

    private mutating func comment(_ start: Int, _ stop: Int, next: Int) -> Token? {
        if keepsComments {
            text = value(from: start, to: stop, decodesReferences: false, inAttribute: false)
        }
        position = next
        return keepsComments ? .comment : nil
    }
}
