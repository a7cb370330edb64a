/// Markdown under construction: finished lines, the containers they stand in, and the running text of the block at hand.
struct MarkdownWriter {
    enum Mark: Equatable {
        case strong, emphasis, deleted
        case link(String)
    }

    /// A quote or a list item: what its lines begin with.
    private struct Container {
        /// Of its first line; used once.
        var first: String?
        let rest: String
        let list: Int
        let number: Int
    }

    private struct OpenMark {
        let mark: Mark
        /// Where its text begins in the running text.
        var start: Int
    }

    private var lines: [String] = []
    private var containers: [Container] = []
    private var containersMade = 0
    /// Those in which the last line stands: an empty line after it belongs to them as far as they are still open.
    private var containersOfLastLine: [Int] = []
    /// The next number of every open list; nil for bullets.
    private var lists: [Int?] = []
    private var inline: [Character] = []
    private var marks: [OpenMark] = []
    private var headingLevel = 0
    /// The list whose item ended last: its next item follows without an empty line.
    private var listJustLeft: Int?

    // MARK: Running text

    mutating func addText(_ text: String) {
        for character in text {
            if character.isWhitespace && character != "\u{A0}" {
                if let last = inline.last, last != " ", last != "\n" { inline.append(" ") }
                continue
            }
            if MarkdownWriter.special.contains(character) { inline.append("\\") }
            inline.append(character)
        }
    }

    /// Characters that mean something anywhere in running text.
    private static let special: Set<Character> = ["\\", "`", "*", "_", "[", "]", "<", ">", "&", "~", "|"]

    mutating func addLineBreak() {
        trimEnd()
        if !inline.isEmpty { inline += "\\\n" }
    }

    mutating func addCodeSpan(_ code: String) {
        guard !code.isEmpty else { return }
        let fence = String(repeating: "`", count: MarkdownWriter.longestRun(of: "`", in: code) + 1)
        let padding = code.hasPrefix("`") || code.hasSuffix("`") ? " " : ""
        inline += fence + padding + code.map { $0.isNewline ? " " : String($0) }.joined() + padding + fence
    }

    mutating func addImage(_ address: String, text: String) {
        guard !address.isEmpty else { return }
        inline += "!["
        addText(WhiteSpace.collapse(text))
        inline += "](" + MarkdownWriter.destination(address) + ")"
    }

    mutating func beginMark(_ mark: Mark) { marks.append(OpenMark(mark: mark, start: inline.count)) }

    mutating func endMark() {
        guard let open = marks.popLast() else { return }
        wrap(open)
    }

    /// Puts the signs around the text of a mark; white space at its ends goes outside, where it must be.
    private mutating func wrap(_ open: OpenMark) {
        let content = inline[min(open.start, inline.count)...]
        let isSpace = { (character: Character) in character == " " || character == "\n" || character == "\\" }
        let lead = content.prefix { $0 == " " }
        let inner = content.dropFirst(lead.count)
        let trailing = inner.reversed().prefix(while: isSpace).count
        // A backslash at the end belongs to a line break only when a line feed follows it.
        let tailCount = inner.suffix(trailing).contains("\n") ? trailing : inner.reversed().prefix { $0 == " " }.count
        let body = inner.dropLast(tailCount)
        guard !body.isEmpty else { return }
        let tail = inner.suffix(tailCount)
        let (before, after) = MarkdownWriter.signs(of: open.mark)
        inline.replaceSubrange(
            content.startIndex..., with: Array(lead) + Array(before) + Array(body) + Array(after) + Array(tail))
    }

    private static func signs(of mark: Mark) -> (String, String) {
        switch mark {
        case .strong: ("**", "**")
        case .emphasis: ("*", "*")
        case .deleted: ("~~", "~~")
        case .link(let address): ("[", "](" + destination(address) + ")")
        }
    }

    private static func destination(_ address: String) -> String {
        let safe = address.map { $0.isWhitespace ? "%20" : $0 == "<" ? "%3C" : $0 == ">" ? "%3E" : String($0) }.joined()
        return safe.contains("(") || safe.contains(")") ? "<" + safe + ">" : safe
    }

    // MARK: Blocks

    mutating func beginHeading(level: Int) {
        endBlock()
        headingLevel = level
    }

    mutating func beginQuote() {
        endBlock()
        open(first: nil, rest: "> ", list: -1)
    }

    mutating func beginList(from number: Int?) {
        endBlock()
        lists.append(number)
    }

    mutating func endList() {
        endBlock()
        _ = lists.popLast()
        listJustLeft = nil
    }

    mutating func beginItem() {
        endBlock()
        // An item without list is a bullet.
        if lists.isEmpty { lists.append(nil) }
        var marker = "- "
        if let number = lists[lists.count - 1] {
            marker = "\(number). "
            lists[lists.count - 1] = number + 1
        }
        let indent = String(repeating: " ", count: marker.count)
        open(first: marker, rest: indent, list: lists.count)
    }

    private mutating func open(first: String?, rest: String, list: Int) {
        containersMade += 1
        containers.append(Container(first: first, rest: rest, list: list, number: containersMade))
    }

    /// Ends a quote or an item.
    mutating func endContainer() {
        endBlock()
        guard let container = containers.popLast() else { return }
        listJustLeft = container.list > 0 && container.first == nil ? container.list : nil
    }

    /// Writes the running text as a block of its own.
    mutating func endBlock() {
        for index in marks.indices.reversed() {
            wrap(marks[index])
            marks[index].start = 0
        }
        trimEnd()
        let text = String(inline).trimmingLeadingSpaces()
        inline = []
        defer { headingLevel = 0 }
        guard !text.isEmpty else { return }
        if headingLevel > 0 {
            let title = text.split(separator: "\n").map { $0.hasSuffix("\\") ? String($0.dropLast()) : String($0) }
            write([String(repeating: "#", count: headingLevel) + " " + title.joined(separator: " ")])
        } else {
            write(
                text.split(separator: "\n", omittingEmptySubsequences: false).map {
                    MarkdownWriter.escapeStart(String($0))
                })
        }
    }

    mutating func addParagraph(_ text: String) {
        endBlock()
        addText(text)
        endBlock()
    }

    mutating func addRule() {
        endBlock()
        write(["---"])
    }

    mutating func addCode(_ code: String, language: String) {
        endBlock()
        var lines = code.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        while lines.last?.isEmpty == true { lines.removeLast() }
        guard !lines.isEmpty else { return }
        let fence = String(repeating: "`", count: max(3, MarkdownWriter.longestRun(of: "`", in: code) + 1))
        write([fence + language] + lines + [fence])
    }

    mutating func addTable(_ rows: [[String]]) {
        endBlock()
        guard let head = rows.first else { return }
        let line = { (cells: [String]) in "| " + cells.joined(separator: " | ") + " |" }
        write([line(head), line(head.map { _ in "---" })] + rows.dropFirst().map(line))
    }

    // MARK: Lines

    private mutating func write(_ block: [String]) {
        let newItem = containers.first { $0.first != nil }
        // Items follow each other, and a list inside an item its text, without an empty line.
        let followsItem = newItem != nil && newItem?.list == listJustLeft
        let beginsInnerList = newItem != nil && (newItem?.list ?? 0) > 1
        if !lines.isEmpty && !followsItem && !beginsInnerList { lines.append(emptyLine()) }
        listJustLeft = nil
        for line in block { lines.append((takePrefix() + line).trimmingTrailingSpaces()) }
        containersOfLastLine = containers.map(\.number)
    }

    private func emptyLine() -> String {
        zip(containers, containersOfLastLine).prefix { $0.number == $1 }.map(\.0.rest).joined().trimmingTrailingSpaces()
    }

    /// What a line begins with in the open containers. Markers of new items are used up.
    private mutating func takePrefix() -> String {
        var prefix = ""
        for index in containers.indices {
            prefix += containers[index].first ?? containers[index].rest
            containers[index].first = nil
        }
        return prefix
    }

    /// A line of text that would begin another kind of block gets a backslash.
    private static func escapeStart(_ line: String) -> String {
        guard let first = line.first else { return line }
        let second = line.dropFirst().first
        let endsMarker = second == nil || second == " "
        if "#+-=".contains(first), endsMarker || second == first { return "\\" + line }
        let digits = line.prefix { $0.isASCII && $0.isNumber }
        guard !digits.isEmpty, digits.count < 10 else { return line }
        let rest = line.dropFirst(digits.count)
        guard let mark = rest.first, mark == "." || mark == ")", rest.dropFirst().first == " " || rest.count == 1 else {
            return line
        }
        return digits + "\\" + rest
    }

    private static func longestRun(of sign: Character, in text: String) -> Int {
        var longest = 0
        var run = 0
        for character in text {
            run = character == sign ? run + 1 : 0
            longest = max(longest, run)
        }
        return longest
    }

    /// White space and line breaks at the end of a block say nothing.
    private mutating func trimEnd() {
        while let last = inline.last, last == " " || last == "\n" {
            inline.removeLast()
            if last == "\n", inline.last == "\\" { inline.removeLast() }
        }
    }

    mutating func finish() -> String {
        endBlock()
        return lines.isEmpty ? "" : lines.joined(separator: "\n") + "\n"
    }

    /// All text on one line, as cells of tables have it. Bars are escaped already.
    mutating func finishOnOneLine() -> String {
        endBlock()
        return lines.filter { !$0.isEmpty }.map { $0.hasSuffix("\\") ? String($0.dropLast()) : $0 }.joined(
            separator: " ")
    }
}

extension String {
    fileprivate func trimmingLeadingSpaces() -> String { String(drop { $0 == " " || $0 == "\n" }) }

    fileprivate func trimmingTrailingSpaces() -> String {
        var text = self
        while text.last == " " { text.removeLast() }
        return text
    }
}
