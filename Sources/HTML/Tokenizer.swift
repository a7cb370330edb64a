import Text

/// Splits a page into tokens, by section 13.2.5 of the HTML standard.
///
/// Source: https://html.spec.whatwg.org/multipage/parsing.html#tokenization. Where the standard goes state by state and
/// byte by byte, this reads a construct at a time. Every byte is looked at a bounded number of times.
///
/// It owns the arena's text while a page is parsed: texts and values that need no decoding are ranges of the page itself,
/// all others are written behind it.
struct Tokenizer {
    /// The page, and behind it what had to be decoded.
    var bytes: [UInt8]
    /// Where the page ends in ``bytes``.
    let end: Int
    var position: Int
    var content = ContentModel.data
    /// The name whose end tag ends RCDATA, raw text and scripts: of the start tag seen last.
    var lastStartTag = Tag.none.rawValue
    /// Whether `<![CDATA[` opens a section here: among foreign elements only.
    var allowsCDATA = false
    /// Comments are skipped unless this is set.
    var keepsComments = false
    /// Attributes of one tag that are kept.
    var mostAttributes = Int.max

    var elementNames: NameTable
    var attributeNames: NameTable
    var attributes: [Document.AttributeRow]
    /// The serial number of the tag that had an attribute of this name last: no tag has one twice.
    private var attributeTags: [UInt32] = []
    private var tagSerial: UInt32 = 0
    private var keptAttributes = 0

    // MARK: The token at hand

    /// Code of a tag's name.
    var name = Tag.none.rawValue
    private(set) var isSelfClosing = false
    /// The tag's attributes in ``attributes``. Of an end tag there are none.
    private(set) var tagAttributes = Document.Extent()
    /// Of a run of characters or a comment.
    var text = Document.Extent()
    var doctype = Doctype()

    private let references = CharacterReferences.standard

    /// - Parameters:
    ///   - document: takes over its names, attributes and text, which are given back at the end.
    ///   - start: where in the text the page begins.
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

    /// Reads the next token; its parts are in the properties above.
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
                // A skipped comment may have been an opened CDATA section.
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

    /// A run of ordinary text: to the next tag or comment, or to a NUL.
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
        // There is a reference: from here on the run is written behind the page.
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

    /// Where the text that begins here meets markup, a NUL, a character reference, or the end.
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

    /// Whether the `<` here is more than text.
    private func beginsMarkup(at index: Int) -> Bool {
        guard index + 1 < end else { return false }
        let next = bytes[index + 1]
        if isASCIILetter(next) || next == UInt8(ascii: "!") || next == UInt8(ascii: "?") { return true }
        return next == UInt8(ascii: "/") && index + 2 < end
    }

    /// Text up to a known place, with U+FFFD for each NUL.
    private mutating func readCharacters(upTo stop: Int, decodesReferences: Bool) {
        text = value(from: position, to: stop, decodesReferences: decodesReferences, inAttribute: false)
        position = stop
    }

    /// The characters between two places: a range of the page itself, or written behind it when there is something to
    /// decode or to replace.
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
                // A reference never reaches beyond a quote or a tag's end, as none has such a byte in it.
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

    /// Writes what the reference at ``position`` stands for and goes behind it; false when there is none.
    private mutating func decodeReference(inAttribute: Bool) -> Bool {
        guard let match = reference(inAttribute: inAttribute) else { return false }
        match.characters.forEach { bytes.append($0) }
        position = match.end
        return true
    }

    private func reference(inAttribute: Bool) -> CharacterReferences.Match? {
        // Without what has been decoded behind the page.
        let source = bytes.span.extracting(0..<end)
        guard let match = references.match(in: source, behind: position + 1) else { return nil }
        return inAttribute && match.isPlain(in: source) ? nil : match
    }

    private mutating func append(_ start: Int, _ stop: Int) { bytes.appendCopy(of: start..<stop) }

    func extent(_ start: Int, _ stop: Int) -> Document.Extent {
        Document.Extent(start: UInt32(start), count: UInt32(stop - start))
    }

    /// A CDATA section's text until its end, a NUL in it as a token of its own; nil at the end of the section.
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

    /// A tag, comment or doctype; nil when nothing of it is for the tree.
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

    /// From the first letter of a tag's name. A tag the page ends in is none.
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

    /// Where the quote that ends a value stands, and whether there is nothing to decode or to replace before it.
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

    /// Reads to the `>` of a tag and goes behind it; false when the page ends before.
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
        // An equals sign that a name begins with is part of it.
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

    /// The first attribute of a name counts.
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

    /// Behind `<!`.
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

    /// Behind `<!--`. A comment the page ends in goes on to its end.
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

    /// To the next `>`, wherever it stands.
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

    /// Where the end tag of the last start tag's name begins, or the end of the page.
    private func endOfRawText() -> Int {
        var index = position
        while true {
            index = indexOf(UInt8(ascii: "<"), from: index)
            if index >= end || isEndTag(at: index) { return index }
            index += 1
        }
    }

    /// The same for scripts, which may hold `</script>` in what looks like a comment with a `<script>` in it.
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
                        // Its own dashes count: `<!-->` is closed at once.
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
