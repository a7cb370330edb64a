import Text

/// The formatting of a piece of inline text.
struct MarkdownMark {
    enum Kind: UInt8 {
        case strong, emphasis, deleted, inserted, highlighted, lowered, raised, link
    }

    let kind: Kind
    /// For links only.
    var address: [UInt8] = []
    var title: [UInt8] = []

    /// The delimiters of a mark.
    enum Delimiters: UInt8 {
        case asterisks, underscores, tildes, tags, brackets
        /// A link whose text is its URL.
        case angles
    }

    /// The element that is written for a mark without delimiters, or with delimiters that a parser would not recognize.
    var tag: String {
        switch kind {
        case .strong: "strong"
        case .emphasis: "em"
        case .deleted: "del"
        case .inserted: "ins"
        case .highlighted: "mark"
        case .lowered: "sub"
        case .raised: "sup"
        case .link: "a"
        }
    }

    func writeOpening(_ delimiters: Delimiters, to output: inout [UInt8]) {
        switch delimiters {
        case .asterisks: output.append(contentsOf: (kind == .strong ? "**" : "*").utf8)
        case .underscores: output.append(contentsOf: (kind == .strong ? "__" : "_").utf8)
        case .tildes: output.append(contentsOf: "~~".utf8)
        case .tags: output.append(contentsOf: "<\(tag)>".utf8)
        case .brackets: output.append(UInt8(ascii: "["))
        case .angles: output.append(UInt8(ascii: "<"))
        }
    }

    func writeClosing(_ delimiters: Delimiters, to output: inout [UInt8]) {
        switch delimiters {
        case .tags: output.append(contentsOf: "</\(tag)>".utf8)
        case .brackets:
            output.append(contentsOf: "](".utf8)
            MarkdownEscapes.writeDestination(address, to: &output)
            MarkdownEscapes.writeTitle(title, to: &output)
            output.append(UInt8(ascii: ")"))
        case .angles: output.append(UInt8(ascii: ">"))
        case .asterisks, .underscores, .tildes: writeOpening(delimiters, to: &output)
        }
    }
}
