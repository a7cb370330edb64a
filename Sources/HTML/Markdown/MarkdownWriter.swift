import Text

/// Markdown under construction, block by block.
struct MarkdownWriter {
    private struct List {
        let number: Int
        /// Number of the next item; nil for bullets.
        var next: Int?
        let isTight: Bool
        /// `-` or `*`, `.` or `)`.
        let marker: UInt8
        /// The container around the list; 0 if there is none.
        let enclosing: Int
        var hasItems = false
    }

    /// The last output, as far as it decides whether the next block can follow without an empty line.
    private enum Last: Equatable {
        case nothing
        case paragraph(in: Int)
        case item(list: Int)
        case other
    }

    var inline = MarkdownInline()
    private var output: [UInt8] = []
    private var containers = MarkdownContainers()
    private var lists: [List] = []
    private var lastListNumber = 0
    /// The list that ended last, until something else is written.
    private var endedList: List?
    private var last = Last.nothing
    private var headingLevel = 0
    private var tables: [MarkdownTable] = []
    private var isInCell = false

    // MARK: Inline content

    mutating func addText(_ text: UnsafeBufferPointer<UInt8>) {
        guard mayHaveCheckbox, let (isChecked, rest) = TaskBox.split(text) else { return inline.add(text) }
        addCheckbox(isChecked: isChecked)
        inline.add(rest)
    }

    /// Two consecutive line breaks end the paragraph.
    mutating func addLineBreak() {
        if headingLevel > 0 {
            inline.addSpace()
        } else if inline.hasPendingBreak && !isInCell {
            endBlock()
        } else {
            inline.addBreak()
        }
    }

    mutating func addImage(_ address: String, text: String, title: String) {
        let address = WhiteSpace.trim(address)
        guard !address.isEmpty, Self.isSafe(address, ofImage: true) else { return }
        var markdown = Array("![".utf8)
        let context = MarkdownEscapes.Context(isInBrackets: true, isInCell: isInCell)
        Self.line(text).withUnsafeBufferPointer { MarkdownEscapes.write($0, in: context, to: &markdown) }
        markdown += "](".utf8
        MarkdownEscapes.writeDestination(Array(address.utf8), to: &markdown)
        MarkdownEscapes.writeTitle(Self.line(title), to: &markdown)
        markdown.append(UInt8(ascii: ")"))
        inline.addRaw(markdown)
    }

    /// Adds a link on its own line for media that Markdown cannot embed. Inside another link it adds only the text.
    mutating func addMedia(_ address: String, title: String) {
        guard Self.isSafe(address, ofImage: false) else { return }
        breakBlock()
        let isLink = beginLink(address, title: "")
        let name = WhiteSpace.trim(title)
        var text = name.isEmpty ? address : name
        text.withUTF8 { inline.add($0) }
        if isLink { inline.endMark() }
        breakBlock()
    }

    mutating func addNoteReference(_ label: String) { inline.addRaw(Array("[^\(label)]".utf8)) }

    /// Adds a TeX formula between dollar signs, as GitHub and pandoc read it. A formula that contains such characters
    /// itself becomes code.
    mutating func addFormula(_ tex: String, isDisplay: Bool) {
        var line = WhiteSpace.collapse(Array(tex.utf8))
        guard !line.isEmpty else { return }
        guard !line.contains(UInt8(ascii: "$")), line.last != UInt8(ascii: "\\"), !line.contains(UInt8(ascii: "|"))
        else {
            inline.beginCode()
            line.withUnsafeBufferPointer { inline.add($0) }
            inline.endCode()
            return
        }
        let sign = Array((isDisplay ? "$$" : "$").utf8)
        line = sign + line + sign
        inline.addRaw(line)
    }

    /// Adds a task list checkbox at the start of a list item; nothing elsewhere.
    mutating func addCheckbox(isChecked: Bool) {
        guard mayHaveCheckbox else { return }
        inline.addRaw(Array((isChecked ? "[x]" : "[ ]").utf8))
        inline.addSpace()
    }

    /// Whether what follows is the beginning of a list item, outside marks.
    private var mayHaveCheckbox: Bool {
        guard inline.isEmpty, !inline.isInMark, headingLevel == 0, !isInCell,
            let innermost = containers.innermostNested, innermost.first != nil, case .item = innermost.kind
        else { return false }
        return true
    }

    /// Returns false if the mark has no effect. Call `inline.endMark` only if it returns true.
    mutating func beginMark(_ kind: MarkdownMark.Kind) -> Bool { inline.begin(MarkdownMark(kind: kind)) }

    mutating func beginLink(_ address: String, title: String) -> Bool {
        let address = WhiteSpace.trim(address)
        guard !address.isEmpty, Self.isSafe(address, ofImage: false) else { return false }
        return inline.begin(
            MarkdownMark(kind: .link, address: Array(address.utf8), title: Self.line(title)))
    }

    /// Replaces line breaks with spaces, because a line could start a block.
    private static func line(_ text: String) -> [UInt8] {
        Array(text.utf8.split(whereSeparator: WhiteSpace.isASCII).joined(separator: [0x20]))
    }

    /// Rejects URLs that execute code, which parsers may refuse too.
    private static func isSafe(_ address: String, ofImage: Bool) -> Bool {
        let scheme = address.utf8.prefix(24).filter { $0 > 0x20 }.map {
            MarkdownEscapes.isAlphanumeric($0) ? $0 | 0x20 : $0
        }
        if ofImage && scheme.starts(with: "data:image/".utf8) {
            return ["gif", "png", "jpeg", "webp"].contains { scheme.dropFirst(11).starts(with: $0.utf8) }
        }
        return !["javascript:", "vbscript:", "data:", "file:"].contains { scheme.starts(with: $0.utf8) }
    }

    // MARK: Paragraphs and headings

    mutating func beginHeading(level: Int) {
        endBlock()
        headingLevel = level
    }

    /// Ends the line at the end of a block element; in a heading or a cell the text continues.
    mutating func breakBlock() {
        if isInCell {
            inline.addBreak()
        } else if headingLevel > 0 {
            inline.addSpace()
        } else {
            endBlock()
        }
    }

    /// Writes the inline content as a block.
    mutating func endBlock() {
        defer {
            inline.clear()
            headingLevel = 0
        }
        guard !inline.isEmpty else { return }
        inline.finish()
        let text = MarkdownInlineRenderer.render(inline, isInCell: false)
        if headingLevel > 0 {
            beginOutput(text)
            let hash = UInt8(ascii: "#")
            var title = text
            if let position = MarkdownEscapes.positionToEscape(inHeading: text) {
                title.insert(UInt8(ascii: "\\"), at: position)
            }
            write(Array(repeating: hash, count: headingLevel) + [0x20] + title)
        } else {
            beginOutput(text)
            forEachLine(of: text[...]) { writer, line in writer.writeParagraphLine(line) }
            last = .paragraph(in: containers.innermost)
        }
    }

    private mutating func writeParagraphLine(_ line: ArraySlice<UInt8>) {
        guard let position = line.withUnsafeBufferPointer(MarkdownEscapes.positionToEscape(inLine:)) else {
            return write(line)
        }
        write(line.prefix(position) + [UInt8(ascii: "\\")] + line.dropFirst(position))
    }

    // MARK: Containers

    mutating func beginQuote() {
        endBlock()
        containers.begin(.quote, first: "> ", rest: "> ")
    }

    mutating func beginList(from number: Int?, isTight: Bool) {
        endBlock()
        // A list directly after another list of the same kind needs a different marker; otherwise it would continue
        // that list.
        let signs = (number == nil ? "-*" : ".)").utf8.map { $0 }
        let wouldContinue = endedList.map { $0.enclosing == containers.innermost && $0.marker == signs[0] } ?? false
        lastListNumber += 1
        // CommonMark allows at most nine digits.
        let first = number.map { (0...999_999_999).contains($0) ? $0 : 1 }
        lists.append(
            List(
                number: lastListNumber, next: first, isTight: isTight, marker: wouldContinue ? signs[1] : signs[0],
                enclosing: containers.innermost))
    }

    mutating func endList() {
        endBlock()
        guard let list = lists.popLast() else { return }
        if list.hasItems { endedList = list }
    }

    mutating func beginItem() {
        endBlock()
        // An item without a list becomes a paragraph.
        guard let list = lists.last else {
            containers.begin(.flat, first: "", rest: "")
            return
        }
        let sign = String(Unicode.Scalar(list.marker))
        let marker = (list.next.map { "\(min($0, 999_999_999))" } ?? "") + sign + " "
        if let next = list.next { lists[lists.count - 1].next = next + 1 }
        containers.begin(
            .item(list: list.number), first: marker, rest: String(repeating: " ", count: marker.utf8.count))
    }

    mutating func beginNote(_ label: String) {
        endBlock()
        containers.begin(.note, first: "[^\(label)]: ", rest: "    ")
    }

    /// Ends a quote, an item or a note.
    mutating func endContainer() {
        endBlock()
        // A note is defined even if it is empty, because the text refers to it.
        if let innermost = containers.innermostNested, innermost.kind == .note, innermost.first != nil {
            beginOutput([])
            write([UInt8]())
        }
        guard let container = containers.end() else { return }
        if case .item(let list) = container.kind, container.first == nil { last = .item(list: list) }
    }

    // MARK: Other blocks

    mutating func addRule() {
        endBlock()
        // After an item's `-` a rule of hyphens could be parsed together with the marker.
        let sign = containers.beginsItem ? "___" : "---"
        beginOutput(sign.utf8)
        write(sign.utf8)
    }

    mutating func addCode(_ code: [UInt8], language: String?) {
        endBlock()
        guard code.contains(where: { $0 > 0x20 }) else { return }
        let text = code.last == 0x0A ? code.dropLast() : code[...]
        let count = max(3, MarkdownEscapes.longestRun(of: UInt8(ascii: "`"), in: text) + 1)
        let fence = Array(repeating: UInt8(ascii: "`"), count: count)
        beginOutput(text)
        write(fence + (language ?? "").utf8)
        forEachLine(of: text) { writer, line in writer.write(line) }
        write(fence)
    }

    // MARK: Tables

    mutating func beginTable() {
        endBlock()
        tables.append(MarkdownTable())
    }

    mutating func beginRow(isHead: Bool) {
        endBlock()
        if !tables.isEmpty { tables[tables.count - 1].beginRow(isHead: isHead) }
    }

    mutating func beginCell() {
        endBlock()
        isInCell = true
    }

    mutating func endCell(columns: Int, rows: Int) {
        inline.finish()
        let text = inline.isEmpty ? [] : MarkdownInlineRenderer.render(inline, isInCell: true)
        inline.clear()
        isInCell = false
        if !tables.isEmpty { tables[tables.count - 1].add(text, columns: columns, rows: rows) }
    }

    mutating func endTable() {
        endBlock()
        guard var table = tables.popLast() else { return }
        let lines = table.finish()
        if lines.isEmpty { return }
        beginOutput(lines: lines.count, bytes: lines.reduce(0) { $0 + $1.count })
        for line in lines { write(line) }
    }

    // MARK: Lines

    private mutating func beginOutput(_ block: some Sequence<UInt8>) {
        var (lines, bytes) = (1, 0)
        for byte in block {
            bytes += 1
            if byte == 0x0A { lines += 1 }
        }
        beginOutput(lines: lines, bytes: bytes)
    }

    /// Prepares the output for the first line of a block.
    private mutating func beginOutput(lines: Int, bytes: Int) {
        containers.reserve(forLines: lines, bytes: bytes)
        if !output.isEmpty && !followsWithoutEmptyLine {
            let start = output.count
            containers.writeEmptyPrefix(to: &output)
            endEmptyLine(from: start)
        }
        for container in containers.nested where container.first != nil {
            if case .item(let number) = container.kind, let index = lists.lastIndex(where: { $0.number == number }) {
                lists[index].hasItems = true
            }
        }
        last = .other
        endedList = nil
    }

    /// Whether the block starts a list item that directly follows the previous item, or the text before the nested
    /// list.
    private var followsWithoutEmptyLine: Bool {
        guard let container = containers.outermostWithoutLine, case .item(let number) = container.kind,
            let index = lists.lastIndex(where: { $0.number == number }), lists[index].isTight
        else { return false }
        switch last {
        case .item(let list): return list == number
        case .paragraph(let enclosing):
            // An ordered list can only interrupt a paragraph if it starts with 1.
            let mayInterrupt = lists[index].next.map { $0 == 2 } ?? true
            return mayInterrupt && enclosing == container.enclosing && index > 0 && lists[index - 1].isTight
        case .nothing, .other: return false
        }
    }

    /// Calls `body` for each line. An array of all lines could take many times the memory of the text.
    private mutating func forEachLine(
        of text: ArraySlice<UInt8>, _ body: (inout MarkdownWriter, ArraySlice<UInt8>) -> Void
    ) {
        var rest = text
        while let end = rest.firstIndex(of: 0x0A) {
            body(&self, rest[..<end])
            rest = rest[(end + 1)...]
        }
        body(&self, rest)
    }

    private mutating func write(_ line: some Collection<UInt8>) {
        let start = output.count
        containers.writePrefix(to: &output)
        if line.isEmpty { return endEmptyLine(from: start) }
        output += line
        output.append(0x0A)
    }

    private mutating func endEmptyLine(from start: Int) {
        while output.count > start, output.last == 0x20 { output.removeLast() }
        output.append(0x0A)
    }

    mutating func finish() -> String {
        endBlock()
        return String(decoding: output, as: UTF8.self)
    }
}
