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
    enum Signs: UInt8 {
        case stars, underscores, tildes, tags, brackets
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

    func writeBeginning(_ signs: Signs, to output: inout [UInt8]) {
        switch signs {
        case .stars: output.append(contentsOf: (kind == .strong ? "**" : "*").utf8)
        case .underscores: output.append(contentsOf: (kind == .strong ? "__" : "_").utf8)
        case .tildes: output.append(contentsOf: "~~".utf8)
        case .tags: output.append(contentsOf: "<\(tag)>".utf8)
        case .brackets: output.append(UInt8(ascii: "["))
        case .angles: output.append(UInt8(ascii: "<"))
        }
    }

    func writeEnd(_ signs: Signs, to output: inout [UInt8]) {
        switch signs {
        case .tags: output.append(contentsOf: "</\(tag)>".utf8)
        case .brackets:
            output.append(contentsOf: "](".utf8)
            MarkdownEscapes.writeDestination(address, to: &output)
            MarkdownEscapes.writeTitle(title, to: &output)
            output.append(UInt8(ascii: ")"))
        case .angles: output.append(UInt8(ascii: ">"))
        case .stars, .underscores, .tildes: writeBeginning(signs, to: &output)
        }
    }
}
