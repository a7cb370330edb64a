import HTML

/// Scans a block's text once, byte by byte: its length, how it ends, and its start in lowercase.
struct TextScan {
    private(set) var length = TextLength()
    private(set) var ending = ArticleBlock.Ending.open
    private(set) var innerSentences = 0
    private(set) var hash = BlockHints.Hash()
    /// The start of the text in lowercase, with white space collapsed.
    private(set) var folded: [UInt8] = []

    private var isInWord = false
    private var isAfterSpace = true

    /// Length of the start in bytes. The rules look at short blocks.
    static let foldedBytes = 320

    var hasText: Bool { hash.count > 0 }

    mutating func reset() {
        length = TextLength()
        ending = .open
        innerSentences = 0
        hash = BlockHints.Hash()
        folded.removeAll(keepingCapacity: true)
        isInWord = false
        isAfterSpace = true
    }

    mutating func endWord() {
        isInWord = false
        isAfterSpace = true
    }

    /// - Parameter isNote: the text is a footnote mark. A sentence before it counts as ended.
    mutating func add(_ text: UnsafeBufferPointer<UInt8>, isNote: Bool) {
        let endingBefore = ending
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte < 0x80 {
                index += 1
                if byte <= 0x20 { endWord() } else { addASCII(byte) }
                continue
            }
            let white = WhiteSpace.length(in: text, at: index)
            if white > 0 {
                endWord()
                index += white
                continue
            }
            let width = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
            let second = index + 1 < text.count ? text[index + 1] : 0
            let third = index + 2 < text.count && width > 2 ? text[index + 2] : 0
            addBeyondASCII(byte, second, third, width)
            if width == 4, index + 3 < text.count { write(text[index + 3]) }
            index += width
        }
        if isNote { ending = endingBefore }
    }

    @inline(__always)
    private mutating func addASCII(_ byte: UInt8) {
        beginCharacter()
        let small = lowercased(byte)
        write(small)
        if small >= 0x61 && small <= 0x7A || byte >= 0x30 && byte <= 0x39 {
            if !isInWord {
                isInWord = true
                length.addWord()
            }
            ending = .open
            return
        }
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"): ending = .sentence
        case UInt8(ascii: ":"): ending = .colon
        case UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "*"): break
        default: ending = .open
        }
        if byte != UInt8(ascii: "'"), byte != UInt8(ascii: "-") { isInWord = false }
    }

    private mutating func addBeyondASCII(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ width: Int) {
        beginCharacter()
        writeFolded(first, second, third, width)
        switch Letters.kind(first, second, third) {
        case .letter:
            if !isInWord {
                isInWord = true
                length.addWord()
            }
            ending = .open
        case .ideograph:
            if ending == .sentence { innerSentences += 1 }
            length.addIdeograph()
            ending = .open
            isInWord = false
        case .spaceless:
            length.addSpacelessLetter()
            ending = .open
        case .terminator: ending = .sentence
        case .colon: ending = .colon
        case .closer: break
        case .sign:
            ending = .open
            isInWord = false
        }
    }

    private mutating func beginCharacter() {
        guard isAfterSpace else { return }
        isAfterSpace = false
        if ending == .sentence { innerSentences += 1 }
        if hasText { write(0x20) }
    }

    private mutating func writeFolded(_ first: UInt8, _ second: UInt8, _ third: UInt8, _ width: Int) {
        if width == 2 {
            let (first, second) = Letters.lowercase(first, second)
            write(first)
            write(second)
        } else if first == 0xE2, second == 0x80, third == 0x99 || third == 0x98 {
            write(UInt8(ascii: "'"))
        } else {
            write(first)
            write(second)
            write(third)
        }
    }

    @inline(__always)
    private mutating func write(_ byte: UInt8) {
        hash.add(byte)
        if folded.count < TextScan.foldedBytes { folded.append(byte) }
    }
}
