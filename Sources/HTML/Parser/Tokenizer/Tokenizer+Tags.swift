// Tags and attributes: sections 13.2.5.6 to 13.2.5.8 and 13.2.5.32 to 13.2.5.40 of the standard.
extension Tokenizer {
    /// Reads a tag, comment or doctype. Returns nil if it produces no token.
    mutating func markup() -> Token? {
        let second = bytes[position + 1]
        if isASCIILetter(second) {
            position += 1
            return tag(.startTag)
        }
        if second == UInt8(ascii: "/") {
            let third = bytes[position + 2]
            if isASCIILetter(third) {
                position += 2
                return tag(.endTag)
            }
            position += 2
            if third == UInt8(ascii: ">") {
                position += 1
                return nil
            }
            return bogusComment()
        }
        position += 1
        return second == UInt8(ascii: "!") ? declaration() : bogusComment()
    }

    /// Reads a tag, starting at the first letter of its name. A tag cut off by the end of the page is dropped.
    private mutating func tag(_ kind: Token) -> Token? {
        let start = position
        let nameEnd = indexOfDelimiter(from: start, isDelimiter: Tokenizer.endsTagName)
        name = Tokenizer.code(of: bytes, from: start, to: nameEnd, in: &elementNames)
        position = nameEnd
        isSelfClosing = false
        let firstAttribute = attributes.count
        tagSerial &+= 1
        tagAttributeCount = 0
        guard readAttributes() else {
            position = end
            attributes.removeLast(attributes.count - firstAttribute)
            return nil
        }
        if kind == .endTag {
            attributes.removeLast(attributes.count - firstAttribute)
        } else {
            lastStartTag = name
        }
        tagAttributes = extent(firstAttribute, attributes.count)
        return kind
    }

    static func endsTagName(_ byte: UInt8) -> Bool {
        WhiteSpace.isASCII(byte) || byte == UInt8(ascii: "/") || byte == UInt8(ascii: ">")
    }

    private static func endsAttributeName(_ byte: UInt8) -> Bool {
        endsTagName(byte) || byte == UInt8(ascii: "=")
    }

    private func indexOfDelimiter(from start: Int, isDelimiter: (UInt8) -> Bool) -> Int {
        let source = bytes.span
        var index = start
        while index < end, !isDelimiter(source[index]) { index += 1 }
        return index
    }

    func indexOf(_ byte: UInt8, from start: Int) -> Int {
        let source = bytes.span
        var index = start
        while index < end, source[index] != byte { index += 1 }
        return index
    }

    /// Returns the index of the closing quote, and whether the value before it needs no decoding or replacement.
    private func endOfQuoted(_ quote: UInt8, from start: Int) -> (Int, isPlain: Bool) {
        let source = bytes.span
        var isPlain = true
        var index = start
        while index < end {
            let byte = source[index]
            if byte == quote { break }
            if byte == UInt8(ascii: "&") || byte == 0 { isPlain = false }
            index += 1
        }
        return (index, isPlain)
    }

    private static func code(
        of text: [UInt8], from start: Int, to stop: Int, in table: inout NameTable
    ) -> UInt32 {
        var hasNUL = false
        for index in start..<stop where text[index] == 0 { hasNUL = true }
        guard hasNUL else { return table.code(of: text, from: start, to: stop, isFolding: true) }
        var name: [UInt8] = []
        for index in start..<stop { name += text[index] == 0 ? [0xEF, 0xBF, 0xBD] : [text[index]] }
        return table.code(of: name, from: 0, to: name.count, isFolding: true)
    }

    private func afterSpace(_ start: Int) -> Int {
        var index = start
        while index < end, WhiteSpace.isASCII(bytes[index]) { index += 1 }
        return index
    }

    /// Reads attributes up to and including the tag's `>`. Returns false if the page ends first.
    private mutating func readAttributes() -> Bool {
        while true {
            position = afterSpace(position)
            guard position < end else { return false }
            switch bytes[position] {
            case UInt8(ascii: ">"):
                position += 1
                return true
            case UInt8(ascii: "/"):
                position += 1
                if position < end, bytes[position] == UInt8(ascii: ">") {
                    isSelfClosing = true
                    position += 1
                    return true
                }
            default:
                guard readAttribute() else { return false }
            }
        }
    }

    private mutating func readAttribute() -> Bool {
        let start = position
        // An equals sign at the start of a name is part of the name.
        let nameEnd = indexOfDelimiter(from: start + 1, isDelimiter: Tokenizer.endsAttributeName)
        let name = Tokenizer.code(of: bytes, from: start, to: nameEnd, in: &attributeNames)
        position = afterSpace(nameEnd)
        var value = Document.Extent()
        if position < end, bytes[position] == UInt8(ascii: "=") {
            position = afterSpace(position + 1)
            guard position < end else { return false }
            let quote = bytes[position]
            if quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") {
                let (stop, isPlain) = endOfQuoted(quote, from: position + 1)
                guard stop < end else { return false }
                value =
                    isPlain
                    ? extent(position + 1, stop)
                    : self.value(from: position + 1, to: stop, decodesReferences: true, inAttribute: true)
                position = stop + 1
            } else {
                let stop = indexOfDelimiter(from: position) { WhiteSpace.isASCII($0) || $0 == UInt8(ascii: ">") }
                value = self.value(from: position, to: stop, decodesReferences: true, inAttribute: true)
                position = stop
            }
        }
        addAttribute(name, value)
        return true
    }

    /// Adds an attribute, unless the tag already has one of that name.
    private mutating func addAttribute(_ name: UInt32, _ value: Document.Extent) {
        if attributeTags.count <= Int(name) {
            attributeTags += Array(repeating: 0, count: attributeNames.count - attributeTags.count)
        }
        guard attributeTags[Int(name)] != tagSerial else { return }
        attributeTags[Int(name)] = tagSerial
        tagAttributeCount += 1
        guard tagAttributeCount <= maximumAttributes else { return }
        attributes.append(Document.AttributeRow(name: name, value: value))
    }
}
