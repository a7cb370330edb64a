/// What a block of Markdown stands in: quotes, list items, definitions of footnotes.
struct MarkdownContainers {
    enum Kind: Equatable {
        case quote, note
        /// Of the list with this number.
        case item(list: Int)
        /// Deeper than parsers read: its blocks stand where it stands.
        case flat
    }

    struct Container {
        let kind: Kind
        let number: Int
        /// What its first line begins with; used once.
        var first: [UInt8]?
        /// What its further lines begin with.
        let rest: [UInt8]
    }

    private(set) var open: [Container] = []
    private var made = 0
    /// Those in which the last line stands: an empty line after it belongs to them as far as they are still open.
    private var ofLastLine: [Int] = []

    /// Levels of blocks, a list item being two: markdown-it reads 20 where it is to be strict CommonMark, the one with the
    /// fewest of those in use (2026-11).
    private static let deepest = 16
    /// Columns that a line may begin with, so that the text grows by no more than this for each of its lines.
    private static let widest = 80

    /// Number of the innermost; 0 where there is none.
    var innermost: Int { open.last?.number ?? 0 }

    /// - Returns: whether there was room for it; without, it leaves no trace.
    @discardableResult
    mutating func begin(_ kind: Kind, first: String, rest: String) -> Bool {
        let levels = open.reduce(0) { $0 + Self.levels($1.kind) } + Self.levels(kind)
        let columns = open.reduce(0) { $0 + $1.rest.count } + rest.utf8.count
        let hasRoom = levels <= Self.deepest && columns <= Self.widest
        made += 1
        open.append(
            hasRoom
                ? Container(kind: kind, number: made, first: Array(first.utf8), rest: Array(rest.utf8))
                : Container(kind: .flat, number: made, first: nil, rest: []))
        return hasRoom
    }

    private static func levels(_ kind: Kind) -> Int {
        switch kind {
        case .quote, .note: 1
        case .item: 2
        case .flat: 0
        }
    }

    mutating func end() -> Container? { open.popLast() }

    /// What the next line begins with.
    mutating func takePrefix(to output: inout [UInt8]) {
        for index in open.indices {
            output += open[index].first ?? open[index].rest
            open[index].first = nil
        }
        // Flat ones may be many; the last line needs no more of them than there are others.
        ofLastLine.removeAll(keepingCapacity: true)
        for container in open where container.kind != .flat { ofLastLine.append(container.number) }
    }

    /// What an empty line behind the last one begins with.
    func writeEmptyPrefix(to output: inout [UInt8]) {
        let nested = open.lazy.filter { $0.kind != .flat }
        for (container, number) in zip(nested, ofLastLine) where container.number == number { output += container.rest }
    }

    /// Whether the next line begins an item.
    var beginsItem: Bool {
        open.contains { container in
            if case .item = container.kind { container.first != nil } else { false }
        }
    }

    /// The outermost that has no line yet, and the number of the one around it.
    var outermostNew: (container: Container, around: Int)? {
        guard let index = open.firstIndex(where: { $0.first != nil }) else { return nil }
        return (open[index], index > 0 ? open[index - 1].number : 0)
    }
}
