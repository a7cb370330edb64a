/// The inline content of one block under construction.
///
/// White space is deferred until more text follows, so it is always outside adjacent marks. Marks are deferred as well:
/// an empty mark produces no output. ``MarkdownInlineRenderer`` chooses the delimiters when all text is known.
struct MarkdownInline {
    enum Token {
        /// Unescaped text.
        case text(Range<Int>)
        case code(Range<Int>)
        /// Finished Markdown.
        case raw(Range<Int>)
        case open(Int)
        case close(Int)
        case lineBreak
    }

    /// A mark and the indexes of its two tokens.
    struct Pair {
        let mark: MarkdownMark
        let opening: Int
        var closing = 0
    }

    private struct ActiveMark {
        let mark: MarkdownMark
        /// Nil until text follows.
        var pair: Int?
    }

    private(set) var bytes: [UInt8] = []
    private(set) var tokens: [Token] = []
    private(set) var pairs: [Pair] = []

    private var activeMarks: [ActiveMark] = []
    private var pendingSpace: [UInt8] = []
    /// Whether the pending space is between two pieces of the same code span.
    private var isPendingSpaceInCode = false
    private(set) var hasPendingBreak = false
    private var codeDepth = 0

    /// Whether nothing visible was added so far.
    var isEmpty: Bool { tokens.isEmpty }

    var isInMark: Bool { !activeMarks.isEmpty || codeDepth > 0 }

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
                addVisible(UnsafeBufferPointer(rebasing: text[start..<index]))
            }
        }
    }

    mutating func addSpace(_ space: [UInt8] = [0x20]) {
        isPendingSpaceInCode = codeDepth > 0 && (pendingSpace.isEmpty || isPendingSpaceInCode)
        if space == [0x20] && pendingSpace.last == 0x20 { return }
        pendingSpace += space
    }

    private mutating func addVisible(_ text: UnsafeBufferPointer<UInt8>) {
        flushPending(forCode: codeDepth > 0)
        let start = bytes.count
        bytes.append(contentsOf: text)
        // Text extends the last token if nothing lies between; two adjacent code spans would be parsed as one.
        switch tokens.last {
        case .text(let range) where codeDepth == 0: tokens[tokens.count - 1] = .text(range.lowerBound..<bytes.count)
        case .code(let range) where codeDepth > 0: tokens[tokens.count - 1] = .code(range.lowerBound..<bytes.count)
        default: tokens.append(codeDepth > 0 ? .code(start..<bytes.count) : .text(start..<bytes.count))
        }
    }

    /// Writes the deferred line break, space and marks.
    private mutating func flushPending(forCode: Bool = false) {
        if hasPendingBreak && !isEmpty { tokens.append(.lineBreak) }
        hasPendingBreak = false
        writeSpace(ofCode: forCode && isPendingSpaceInCode)
        for index in activeMarks.indices where activeMarks[index].pair == nil {
            activeMarks[index].pair = pairs.count
            tokens.append(.open(pairs.count))
            pairs.append(Pair(mark: activeMarks[index].mark, opening: tokens.count - 1))
        }
    }

    private mutating func writeSpace(ofCode: Bool) {
        defer { pendingSpace.removeAll(keepingCapacity: true) }
        guard !pendingSpace.isEmpty, !isAtLineStart else { return }
        let start = bytes.count
        bytes += pendingSpace
        switch tokens.last {
        case .code(let range) where ofCode && activeMarks.allSatisfy { $0.pair != nil }:
            tokens[tokens.count - 1] = .code(range.lowerBound..<bytes.count)
        case .text(let range): tokens[tokens.count - 1] = .text(range.lowerBound..<bytes.count)
        default: tokens.append(.text(start..<bytes.count))
        }
    }

    // MARK: Other content

    mutating func addBreak() {
        pendingSpace.removeAll(keepingCapacity: true)
        hasPendingBreak = !isEmpty
    }

    /// Adds Markdown that starts and ends with punctuation and contains no line end.
    mutating func addRaw(_ markdown: [UInt8]) {
        flushPending()
        tokens.append(.raw(bytes.count..<bytes.count + markdown.count))
        bytes += markdown
    }

    mutating func beginCode() { codeDepth += 1 }

    mutating func endCode() { codeDepth -= 1 }

    /// Starts a mark. Returns false if a mark of this kind is already open, because a second one has no effect.
    mutating func begin(_ mark: MarkdownMark) -> Bool {
        if activeMarks.contains(where: { $0.mark.kind == mark.kind }) { return false }
        activeMarks.append(ActiveMark(mark: mark))
        return true
    }

    mutating func endMark() {
        guard let open = activeMarks.popLast(), let pair = open.pair else { return }
        close(pair)
    }

    private mutating func close(_ pair: Int) {
        pairs[pair].closing = tokens.count
        tokens.append(.close(pair))
    }

    /// Closes the open marks; they are reopened in the next block.
    mutating func finish() {
        for index in activeMarks.indices.reversed() {
            if let pair = activeMarks[index].pair { close(pair) }
            activeMarks[index].pair = nil
        }
    }

    /// Resets the content for the next block.
    mutating func clear() {
        bytes.removeAll(keepingCapacity: true)
        tokens.removeAll(keepingCapacity: true)
        pairs.removeAll(keepingCapacity: true)
        pendingSpace.removeAll(keepingCapacity: true)
        hasPendingBreak = false
    }
}
