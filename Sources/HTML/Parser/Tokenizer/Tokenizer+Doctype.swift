// Document type declarations: sections 13.2.5.53 to 13.2.5.68 of the standard.
extension Tokenizer {
    /// Reads the declaration. `position` is after the word `doctype`.
    mutating func readDoctype() {
        doctype = Doctype()
        skipSpace()
        guard position < end else {
            doctype.forcesQuirks = true
            return
        }
        guard bytes[position] != UInt8(ascii: ">") else {
            doctype.forcesQuirks = true
            position += 1
            return
        }
        let start = position
        while position < end, !WhiteSpace.isASCII(bytes[position]), bytes[position] != UInt8(ascii: ">") {
            position += 1
        }
        doctype.name = string(start, position, isFolding: true)
        skipSpace()
        guard position < end else {
            doctype.forcesQuirks = true
            return
        }
        if bytes[position] == UInt8(ascii: ">") {
            position += 1
        } else if matches("public", at: position) {
            position += 6
            readPublicID()
        } else if matches("system", at: position) {
            position += 6
            readSystemID(isRequired: true)
        } else {
            doctype.forcesQuirks = true
            skipDoctype()
        }
    }

    private mutating func readPublicID() {
        guard let id = identifier(isRequired: true) else { return }
        doctype.publicID = id.text
        if id.isWhole { readSystemID(isRequired: false) }
    }

    private mutating func readSystemID(isRequired: Bool) {
        guard let id = identifier(isRequired: isRequired) else { return }
        doctype.systemID = id.text
        guard id.isWhole else { return }
        skipSpace()
        guard position < end else {
            doctype.forcesQuirks = true
            return
        }
        // Anything between the identifier and the end is a parse error without consequences.
        skipDoctype()
    }

    /// Reads a quoted identifier. Returns nil if there is none; the declaration has then been read to its end.
    /// `isWhole` is false if a `>` or the end of the page cut the identifier short, which also ends the declaration.
    private mutating func identifier(isRequired: Bool) -> (text: String, isWhole: Bool)? {
        skipSpace()
        guard position < end else {
            doctype.forcesQuirks = true
            return nil
        }
        let quote = bytes[position]
        if quote == UInt8(ascii: ">") {
            if isRequired { doctype.forcesQuirks = true }
            position += 1
            return nil
        }
        guard quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            doctype.forcesQuirks = true
            skipDoctype()
            return nil
        }
        position += 1
        let start = position
        while position < end, bytes[position] != quote, bytes[position] != UInt8(ascii: ">") { position += 1 }
        let text = string(start, position, isFolding: false)
        let isWhole = position < end && bytes[position] == quote
        if position < end { position += 1 }
        if !isWhole { doctype.forcesQuirks = true }
        return (text, isWhole)
    }

    private mutating func skipSpace() {
        while position < end, WhiteSpace.isASCII(bytes[position]) { position += 1 }
    }

    private mutating func skipDoctype() {
        while position < end, bytes[position] != UInt8(ascii: ">") { position += 1 }
        if position < end { position += 1 }
    }

    private func string(_ start: Int, _ stop: Int, isFolding: Bool) -> String {
        var text: [UInt8] = []
        for byte in bytes[start..<stop] {
            if byte == 0 {
                text += [0xEF, 0xBF, 0xBD]
            } else {
                text.append(isFolding ? lowercase(byte) : byte)
            }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
