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
        /// The number of the one around it, 0 where there is none.
        let around: Int
        /// What its first line begins with; used once.
        var first: [UInt8]?
        /// What its further lines begin with.
        let rest: [UInt8]
    }

    /// Numbers of all that are open; the innermost is the last.
    private var open: [Int] = []
    /// Those of them that are not flat, which are few.
    private(set) var nested: [Container] = []
    private var made = 0
    /// Those in which the last line stands: an empty line after it belongs to them as far as they are still open.
    private var ofLastLine: [Int] = []
    /// What the next line begins with, where it begins as the last one.
    private var prefix: [UInt8]?

    /// Bytes of the blocks so far, and of what their lines begin with, at most.
    private var bytesOfBlocks = 0
    private var bytesOfPrefixes = 0

    /// Levels of blocks, a list item being two: markdown-it reads 20 where it is to be strict CommonMark, the one with the
    /// fewest of those in use (2026-11).
    private static let deepest = 16
    /// Columns that a line may begin with.
    private static let widest = 80
    /// Bytes that the beginnings of lines may take on top of as many as the blocks have. Those of a page people wrote take a
    /// fraction of it; a line of one letter in sixteen quotes would take thirty times what it says.
    private static let spare = 500_000

    /// Number of the innermost; 0 where there is none.
    var innermost: Int { open.last ?? 0 }

    /// The innermost, where it is not flat.
    var innermostNested: Container? { nested.last?.number == open.last ? nested.last : nil }

    private var columns: Int { nested.reduce(0) { $0 + $1.rest.count } }

    /// - Returns: whether there was room for it; without, it leaves no trace.
    @discardableResult
    mutating func begin(_ kind: Kind, first: String, rest: String) -> Bool {
        let levels = nested.reduce(0) { $0 + Self.levels($1.kind) } + Self.levels(kind)
        let hasRoom = kind != .flat && levels <= Self.deepest && columns + rest.utf8.count <= Self.widest
        made += 1
        if hasRoom {
            nested.append(Container(kind: kind, number: made, around: innermost, first: Array(first.utf8), rest: Array(rest.utf8)))
            prefix = nil
        }
        open.append(made)
        return hasRoom
    }

    private static func levels(_ kind: Kind) -> Int {
        switch kind {
        case .quote, .note: 1
        case .item: 2
        case .flat: 0
        }
    }

    /// Ends the innermost, and answers with it where it was not flat.
    mutating func end() -> Container? {
        guard let number = open.popLast(), nested.last?.number == number else { return nil }
        prefix = nil
        return nested.popLast()
    }

    /// Makes sure that a block's lines may have their beginnings: where these have become too much, all that is open is flat
    /// from here on.
    mutating func makeRoom(forLines lines: Int, bytes: Int) {
        bytesOfBlocks += bytes
        // One for the empty line before it.
        let more = (lines + 1) * columns
        guard bytesOfPrefixes + more > bytesOfBlocks + Self.spare else {
            bytesOfPrefixes += more
            return
        }
        nested.removeAll()
        prefix = nil
    }

    /// What the next line begins with.
    mutating func takePrefix(to output: inout [UInt8]) {
        if let prefix {
            output += prefix
            return
        }
        for index in nested.indices {
            output += nested[index].first ?? nested[index].rest
            nested[index].first = nil
        }
        prefix = nested.flatMap(\.rest)
        ofLastLine = nested.map(\.number)
    }

    /// What an empty line behind the last one begins with.
    func writeEmptyPrefix(to output: inout [UInt8]) {
        for (container, number) in zip(nested, ofLastLine) where container.number == number { output += container.rest }
    }

    /// Whether the next line begins an item.
    var beginsItem: Bool {
        nested.contains { container in
            if case .item = container.kind { container.first != nil } else { false }
        }
    }

    /// The outermost that has no line yet.
    var outermostNew: Container? { nested.first { $0.first != nil } }
}
