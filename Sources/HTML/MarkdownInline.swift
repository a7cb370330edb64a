/// The running text of one block under construction.
///
/// White space waits until more text comes, so it always lies outside of the marks that end or begin beside it, and a mark
/// waits for text likewise: an empty one leaves nothing. What the text needs around it is decided by
/// ``MarkdownInlineRenderer`` when all of it is known.
struct MarkdownInline {
    enum Token {
        /// Unescaped text.
        case text(Range<Int>)
        case code(Range<Int>)
        /// Markdown already.
        case raw(Range<Int>)
        case open(Int)
        case close(Int)
        case lineBreak
    }

    /// A mark and its two tokens.
    struct Pair {
        let mark: MarkdownMark
        let opening: Int
        var closing = 0
    }

    private struct OpenMark {
        let mark: MarkdownMark
        /// Nil until text comes.
        var pair: Int?
    }

    private(set) var bytes: [UInt8] = []
    private(set) var tokens: [Token] = []
    private(set) var pairs: [Pair] = []

    private var openMarks: [OpenMark] = []
    private var pendingSpace: [UInt8] = []
    /// The space lies between two pieces of one code.
    private var isSpaceOfCode = false
    private(set) var hasPendingBreak = false
    private var codeDepth = 0

    /// Whether there is nothing yet that would be seen.
    var isEmpty: Bool { tokens.isEmpty }

    private var isAtLineStart: Bool {
        guard let last = tokens.last else { return true }
        if case .lineBreak = last { return true }
        return false
    }

    // MARK: Text

    mutating func add(_ text: UnsafeBufferPointer<UInt8>) {
        var index = 0
        while index < text.count {
            let space = WhiteSpace.length(in: text, at: index)
            let start = index
            if space > 0 {
                index += space
                addSpace(WhiteSpace.isASCII(text[start]) ? [0x20] : Array(text[start..<index]))
            } else {
                while index < text.count, WhiteSpace.length(in: text, at: index) == 0 { index += 1 }
                addInk(UnsafeBufferPointer(rebasing: text[start..<index]))
            }
        }
    }

    mutating func addSpace(_ space: [UInt8] = [0x20]) {
        isSpaceOfCode = codeDepth > 0 && (pendingSpace.isEmpty || isSpaceOfCode)
        if space == [0x20] && pendingSpace.last == 0x20 { return }
        pendingSpace += space
    }

    private mutating func addInk(_ text: UnsafeBufferPointer<UInt8>) {
        makeReady(forCode: codeDepth > 0)
        let start = bytes.count
        bytes.append(contentsOf: text)
        // A token grows as long as nothing stands between it and what comes; two codes side by side would not be told apart.
        switch tokens.last {
        case .text(let range) where codeDepth == 0: tokens[tokens.count - 1] = .text(range.lowerBound..<bytes.count)
        case .code(let range) where codeDepth > 0: tokens[tokens.count - 1] = .code(range.lowerBound..<bytes.count)
        default: tokens.append(codeDepth > 0 ? .code(start..<bytes.count) : .text(start..<bytes.count))
        }
    }

    /// Writes what waited for text.
    private mutating func makeReady(forCode: Bool = false) {
        if hasPendingBreak && !isEmpty { tokens.append(.lineBreak) }
        hasPendingBreak = false
        writeSpace(ofCode: forCode && isSpaceOfCode)
        for index in openMarks.indices where openMarks[index].pair == nil {
            openMarks[index].pair = pairs.count
            tokens.append(.open(pairs.count))
            pairs.append(Pair(mark: openMarks[index].mark, opening: tokens.count - 1))
        }
    }

    private mutating func writeSpace(ofCode: Bool) {
        defer { pendingSpace.removeAll(keepingCapacity: true) }
        guard !pendingSpace.isEmpty, !isAtLineStart else { return }
        let start = bytes.count
        bytes += pendingSpace
        switch tokens.last {
        case .code(let range) where ofCode && openMarks.allSatisfy { $0.pair != nil }:
            tokens[tokens.count - 1] = .code(range.lowerBound..<bytes.count)
        case .text(let range): tokens[tokens.count - 1] = .text(range.lowerBound..<bytes.count)
        default: tokens.append(.text(start..<bytes.count))
        }
    }

    // MARK: All else

    mutating func addBreak() {
        pendingSpace.removeAll(keepingCapacity: true)
        hasPendingBreak = !isEmpty
    }

    /// Markdown that begins and ends with a sign and has no line end.
    mutating func addRaw(_ markdown: [UInt8]) {
        makeReady()
        tokens.append(.raw(bytes.count..<bytes.count + markdown.count))
        bytes += markdown
    }

    mutating func beginCode() { codeDepth += 1 }

    mutating func endCode() { codeDepth -= 1 }

    /// False where one of the kind is open already: a second says nothing more.
    mutating func begin(_ mark: MarkdownMark) -> Bool {
        if openMarks.contains(where: { $0.mark.kind == mark.kind }) { return false }
        openMarks.append(OpenMark(mark: mark))
        return true
    }

    mutating func endMark() {
        guard let open = openMarks.popLast(), let pair = open.pair else { return }
        close(pair)
    }

    private mutating func close(_ pair: Int) {
        pairs[pair].closing = tokens.count
        tokens.append(.close(pair))
    }

    /// Ends the marks that are open; they begin again in the next block.
    mutating func finish() {
        for index in openMarks.indices.reversed() {
            if let pair = openMarks[index].pair { close(pair) }
            openMarks[index].pair = nil
        }
    }

    /// Makes ready for the next block.
    mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        tokens.removeAll(keepingCapacity: true)
        pairs.removeAll(keepingCapacity: true)
        pendingSpace.removeAll(keepingCapacity: true)
        hasPendingBreak = false
    }
}
