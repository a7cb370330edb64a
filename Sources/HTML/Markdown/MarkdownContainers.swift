/// The containers around a Markdown block: quotes, list items and footnote definitions.
struct MarkdownContainers {
    enum Kind: Equatable {
        case quote, note
        /// An item of the list with this number.
        case item(list: Int)
        /// Nested deeper than parsers support: its blocks belong to the container around it.
        case flat
    }

    struct Container {
        let kind: Kind
        let number: Int
        /// The number of the enclosing container; 0 if there is none.
        let enclosing: Int
        /// The prefix of its first line; used once.
        var first: [UInt8]?
        /// The prefix of its other lines.
        let rest: [UInt8]
    }

    /// Numbers of all open containers, innermost last.
    private var open: [Int] = []
    /// The open containers that are not flat; there are few.
    private(set) var nested: [Container] = []
    private var lastNumber = 0
    /// The containers of the last line. An empty line after it gets the prefixes of those still open.
    private var containersOfLastLine: [Int] = []
    /// The prefix of the next line, if it is the same as that of the last line.
    private var prefix: [UInt8]?

    /// Maximum bytes of all blocks so far, and of their line prefixes.
    private var bytesOfBlocks = 0
    private var bytesOfPrefixes = 0

    /// Maximum nesting levels of blocks; a list item counts as two. In strict CommonMark mode markdown-it supports 20
    /// levels, the lowest limit of the parsers in use (2026-11).
    private static let maximumLevels = 16
    /// Maximum columns of a line prefix.
    private static let maximumColumns = 80
    /// Bytes of line prefixes allowed in addition to the bytes of all blocks. Hand-written pages need a fraction of
    /// that; lines with one letter inside sixteen quotes would need thirty times their own text.
    private static let prefixAllowance = 500_000

    /// Number of the innermost container; 0 if there is none.
    var innermost: Int { open.last ?? 0 }

    /// The innermost container; nil if it is flat.
    var innermostNested: Container? { nested.last?.number == open.last ? nested.last : nil }

    private var columns: Int { nested.reduce(0) { $0 + $1.rest.count } }

    /// - Returns: whether there was room; without room the container is flat and produces no output.
    @discardableResult
    mutating func begin(_ kind: Kind, first: String, rest: String) -> Bool {
        let levels = nested.reduce(0) { $0 + Self.levels($1.kind) } + Self.levels(kind)
        let hasRoom = kind != .flat && levels <= Self.maximumLevels && columns + rest.utf8.count <= Self.maximumColumns
        lastNumber += 1
        if hasRoom {
            nested.append(
                Container(
                    kind: kind, number: lastNumber, enclosing: innermost, first: Array(first.utf8),
                    rest: Array(rest.utf8)))
            prefix = nil
        }
        open.append(lastNumber)
        return hasRoom
    }

    private static func levels(_ kind: Kind) -> Int {
        switch kind {
        case .quote, .note: 1
        case .item: 2
        case .flat: 0
        }
    }

    /// Ends the innermost container and returns it unless it is flat.
    mutating func end() -> Container? {
        guard let number = open.popLast(), nested.last?.number == number else { return nil }
        prefix = nil
        return nested.popLast()
    }

    /// Accounts for a block's line prefixes. If they exceed the limit, all open containers become flat.
    mutating func reserve(forLines lines: Int, bytes: Int) {
        bytesOfBlocks += bytes
        // Adds one line for the empty line before the block.
        let more = (lines + 1) * columns
        guard bytesOfPrefixes + more > bytesOfBlocks + Self.prefixAllowance else {
            bytesOfPrefixes += more
            return
        }
        nested.removeAll()
        prefix = nil
    }

    /// Writes the prefix of the next line.
    mutating func writePrefix(to output: inout [UInt8]) {
        if let prefix {
            output += prefix
            return
        }
        for index in nested.indices {
            output += nested[index].first ?? nested[index].rest
            nested[index].first = nil
        }
        prefix = nested.flatMap(\.rest)
        containersOfLastLine = nested.map(\.number)
    }

    /// Writes the prefix of an empty line after the last line.
    func writeEmptyPrefix(to output: inout [UInt8]) {
        for (container, number) in zip(nested, containersOfLastLine) where container.number == number {
            output += container.rest
        }
    }

    /// Whether the next line starts a list item.
    var beginsItem: Bool {
        nested.contains { container in
            if case .item = container.kind { container.first != nil } else { false }
        }
    }

    /// The outermost container without any line so far.
    var outermostWithoutLine: Container? { nested.first { $0.first != nil } }
}
