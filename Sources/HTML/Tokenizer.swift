import Text

/// Splits a page into tokens, following section 13.2.5 of the HTML standard.
///
/// Source: https://html.spec.whatwg.org/multipage/parsing.html#tokenization. The standard describes a state machine
/// that reads byte by byte; this implementation reads one construct at a time. Each byte is examined a bounded number
/// of times.
///
/// The tokenizer owns the arena's text while a page is parsed. Text and values that need no decoding are ranges of the
/// page itself; all others are appended after it.
struct Tokenizer {
    /// The page, followed by decoded text.
    var bytes: [UInt8]
    /// End of the page in ``bytes``.
    let end: Int
    var position: Int
    var content = ContentModel.data
    /// The element whose end tag ends RCDATA, raw text and scripts: the name of the most recent start tag.
    var lastStartTag = Tag.none.rawValue
    /// Whether `<![CDATA[` starts a CDATA section: only inside foreign elements.
    var allowsCDATA = false
    /// Whether comments produce tokens; otherwise they are skipped.
    var keepsComments = false
    /// Maximum number of attributes kept per tag.
    var mostAttributes = Int.max

    var elementNames: NameTable
    var attributeNames: NameTable
    var attributes: [Document.AttributeRow]
    /// Serial number of the last tag that had each attribute name: a tag keeps only the first attribute of a name.
    private var attributeTags: [UInt32] = []
    private var tagSerial: UInt32 = 0
    private var keptAttributes = 0

    // MARK: Current token

    /// Code of a tag's name.
    var name = Tag.none.rawValue
    private(set) var isSelfClosing = false
    /// The tag's attributes in ``attributes``; empty for an end tag.
    private(set) var tagAttributes = Document.Extent()
    /// Bytes of a text or comment token.
    var text = Document.Extent()
    var doctype = Doctype()

    private let references = CharacterReferences.standard

    /// - Parameters:
    ///   - document: the tokenizer takes over its names, attributes and text; `TreeBuilder.finish` gives them back.
    ///   - start: start of the page in the document's text.
    init(_ document: inout Document, from start: Int) {
        bytes = document.bytes
        document.bytes = []
        attributes = document.attributes
        document.attributes = []
        elementNames = document.elementNames
        attributeNames = document.attributeNames
        position = start
        end = bytes.count
    }

    /// Reads the next token and stores its parts in the properties above.
    mutating func next() -> Token {
        switch content {
        case .data: break
        case .rcdata, .rawText, .script:
            let close = content == .script ? endOfScript() : endOfRawText()
            let decodesReferences = content == .rcdata
            content = .data
            if close > position {
                readCharacters(upTo: close, decodesReferences: decodesReferences)
                return .text
            }
        case .plaintext:
            guard position < end else { return .endOfFile }
            readCharacters(upTo: end, decodesReferences: false)
            return .text
        case .cdata:
            if let token = cdata() { return token }
            content = .data
        }
        while position < end {
            if bytes[position] == UInt8(ascii: "<"), beginsMarkup(at: position) {
                if let token = markup() { return token }
                // A skipped declaration may have started a CDATA section.
                if content == .cdata {
                    if let token = cdata() { return token }
                    content = .data
                }
            } else {
                return characters()
            }
        }
        return .endOfFile
    }

    // MARK: - Characters

    /// Reads ordinary text up to the next tag, comment or NUL.
    private mutating func characters() -> Token {
        if bytes[position] == 0 {
            text = Document.Extent(start: UInt32(position), count: 1)
            position += 1
            return .null
        }
        let start = position
        let stop = endOfPlainRun(from: start)
        position = stop
        if stop == end || bytes[stop] != UInt8(ascii: "&") {
            text = extent(start, stop)
            return .text
        }
        // The text contains a reference, so the rest of the run is copied after the page.
        let copy = bytes.count
        append(start, stop)
        while position < end {
            let byte = bytes[position]
            if byte == 0 || (byte == UInt8(ascii: "<") && beginsMarkup(at: position)) { break }
            if byte == UInt8(ascii: "&"), decodeReference(inAttribute: false) { continue }
            let next = endOfPlainRun(from: position + 1)
            append(position, next)
            position = next
        }
        text = extent(copy, bytes.count)
        return .text
    }

    /// Returns the end of the text starting here: markup, a NUL, a character reference or the end of the page.
    private func endOfPlainRun(from start: Int) -> Int {
        let source = bytes.span
        var index = start
        while index < end {
            let byte = source[index]
            // Most bytes are greater than `<`.
            if byte > UInt8(ascii: "<") {
                index += 1
                continue
            }
            if byte == UInt8(ascii: "<") {
                if beginsMarkup(at: index) { return index }
            } else if byte == UInt8(ascii: "&") {
                if references.match(in: source.extracting(0..<end), behind: index + 1) != nil { return index }
            } else if byte == 0 {
                return index
            }
            index += 1
        }
        return end
    }

    /// Whether the `<` at this index starts markup.
    private func beginsMarkup(at index: Int) -> Bool {
        guard index + 1 < end else { return false }
        let next = bytes[index + 1]
        if isASCIILetter(next) || next == UInt8(ascii: "!") || next == UInt8(ascii: "?") { return true }
        return next == UInt8(ascii: "/") && index + 2 < end
    }

    /// Reads text up to a known position, replacing each NUL with U+FFFD.
    private mutating func readCharacters(upTo stop: Int, decodesReferences: Bool) {
        text = value(from: position, to: stop, decodesReferences: decodesReferences, inAttribute: false)
        position = stop
    }

    /// Returns the characters between two positions: a range of the page itself, or a decoded copy after the page if
    /// something must be decoded or replaced.
    private mutating func value(
        from start: Int, to stop: Int, decodesReferences: Bool, inAttribute: Bool
    ) -> Document.Extent {
        func isOrdinary(_ byte: UInt8) -> Bool { byte != 0 && !(decodesReferences && byte == UInt8(ascii: "&")) }
        var index = start
        while index < stop, isOrdinary(bytes[index]) { index += 1 }
        if index == stop { return extent(start, stop) }
        let copy = bytes.count
        append(start, index)
        while index < stop {
            let byte = bytes[index]
            if byte == 0 {
                bytes.append(contentsOf: [0xEF, 0xBF, 0xBD])
                index += 1
            } else if decodesReferences, byte == UInt8(ascii: "&") {
                position = index
                // A reference contains neither quotes nor `>`, so it never extends beyond a quote or the end of a tag.
                if decodeReference(inAttribute: inAttribute) {
                    index = position
                } else {
                    bytes.append(byte)
                    index += 1
                }
            } else {
                var plain = index + 1
                while plain < stop, isOrdinary(bytes[plain]) { plain += 1 }
                append(index, plain)
                index = plain
            }
        }
        return extent(copy, bytes.count)
    }

    /// Decodes the reference at ``position`` and advances past it. Returns false if there is none.
    private mutating func decodeReference(inAttribute: Bool) -> Bool {
        guard let match = reference(inAttribute: inAttribute) else { return false }
        match.characters.forEach { bytes.append($0) }
        position = match.end
        return true
    }

    private func reference(inAttribute: Bool) -> CharacterReferences.Match? {
        // Excludes the text decoded after the page.
        let source = bytes.span.extracting(0..<end)
        guard let match = references.match(in: source, behind: position + 1) else { return nil }
        return inAttribute && match.isPlain(in: source) ? nil : match
    }

    private mutating func append(_ start: Int, _ stop: Int) { bytes.appendCopy(of: start..<stop) }

    func extent(_ start: Int, _ stop: Int) -> Document.Extent {
        Document.Extent(start: UInt32(start), count: UInt32(stop - start))
    }

    /// Reads CDATA text up to the section's end, with each NUL as a separate token. Returns nil at the end of the
    /// section.
    private mutating func cdata() -> Token? {
        guard position < end else { return nil }
        if bytes[position] == 0 {
            text = extent(position, position + 1)
            position += 1
            return .null
        }
        let start = position
        while position < end, bytes[position] != 0 {
            if bytes[position] == UInt8(ascii: "]"), position + 2 < end, bytes[position + 1] == UInt8(ascii: "]"),
                bytes[position + 2] == UInt8(ascii: ">")
            {
                break
            }
            position += 1
        }
        if position > start {
            text = extent(start, position)
            return .text
        }
        position += 3
        return nil
    }

    // MARK: - Tags

    /// Reads a tag, comment or doctype. Returns nil if it produces no token.
    private mutating func markup() -> Token? {
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
        keptAttributes = 0
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

    private static func endsTagName(_ byte: UInt8) -> Bool {
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

    private func indexOf(_ byte: UInt8, from start: Int) -> Int {
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
        keep(name, value)
        return true
    }

    /// Adds an attribute, unless the tag already has one of that name.
    private mutating func keep(_ name: UInt32, _ value: Document.Extent) {
        if attributeTags.count <= Int(name) {
            attributeTags += Array(repeating: 0, count: attributeNames.count - attributeTags.count)
        }
        guard attributeTags[Int(name)] != tagSerial else { return }
        attributeTags[Int(name)] = tagSerial
        keptAttributes += 1
        guard keptAttributes <= mostAttributes else { return }
        attributes.append(Document.AttributeRow(name: name, value: value))
    }

    // MARK: - Comments

    /// Reads the declaration after `<!`.
    private mutating func declaration() -> Token? {
        let body = position + 1
        if stands("--", at: body) {
            position = body + 2
            return comment()
        }
        if stands("doctype", at: body) {
            position = body + 7
            readDoctype()
            return .doctype
        }
        if allowsCDATA, stands("[CDATA[", at: body, isFolding: false) {
            position = body + 7
            content = .cdata
            return nil
        }
        position = body
        return bogusComment()
    }

    func stands(_ word: StaticString, at index: Int, isFolding: Bool = true) -> Bool {
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
        if stands("->", at: start) { return comment(start, start, next: start + 2) }
        var index = start
        while true {
            index = indexOf(UInt8(ascii: "-"), from: index)
            guard index < end else { break }
            if stands("-->", at: index) { return comment(start, index, next: index + 3) }
            if stands("--!>", at: index) { return comment(start, index, next: index + 4) }
            index += 1
        }
        var stop = end
        if stop - start >= 3, stands("--!", at: stop - 3) {
            stop -= 3
        } else {
            for _ in 0..<2 where stop > start && bytes[stop - 1] == UInt8(ascii: "-") { stop -= 1 }
        }
        return comment(start, stop, next: end)
    }

    /// Reads a comment that ends at the next `>`.
    private mutating func bogusComment() -> Token? {
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

    // MARK: - Raw text

    /// Returns the start of the end tag that matches the last start tag, or the end of the page.
    private func endOfRawText() -> Int {
        var index = position
        while true {
            index = indexOf(UInt8(ascii: "<"), from: index)
            if index >= end || isEndTag(at: index) { return index }
            index += 1
        }
    }

    /// Same for scripts, which may contain `</script>` inside what looks like a comment with a `<script>` in it.
    private func endOfScript() -> Int {
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
                    if stands("<!--", at: index) {
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
        let behind = index + word.utf8CodeUnitCount
        return stands(word, at: index) && behind < end && Tokenizer.endsTagName(bytes[behind])
    }

    private func isEndTag(at index: Int) -> Bool {
        guard index + 2 < end, bytes[index + 1] == UInt8(ascii: "/") else { return false }
        let name = elementNames.range(of: lastStartTag)
        let behind = index + 2 + name.count
        guard behind < end, Tokenizer.endsTagName(bytes[behind]) else { return false }
        for place in 0..<name.count
        where lowercase(bytes[index + 2 + place]) != elementNames.bytes[name.lowerBound + place] { return false }
        return true
    }
}

@inline(__always)
func isASCIILetter(_ byte: UInt8) -> Bool { byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A }
