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
    var maximumAttributes = Int.max

    var elementNames: NameTable
    var attributeNames: NameTable
    var attributes: [Document.AttributeRow]
    /// Serial number of the last tag that had each attribute name: a tag keeps only the first attribute of a name.
    var attributeTags: [UInt32] = []
    var tagSerial: UInt32 = 0
    var tagAttributeCount = 0

    // MARK: Current token

    /// Code of a tag's name.
    var name = Tag.none.rawValue
    var isSelfClosing = false
    /// The tag's attributes in ``attributes``; empty for an end tag.
    var tagAttributes = Document.Extent()
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
                if references.match(in: source.extracting(0..<end), after: index + 1) != nil { return index }
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
    mutating func value(
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
        guard let match = references.match(in: source, after: position + 1) else { return nil }
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
}
