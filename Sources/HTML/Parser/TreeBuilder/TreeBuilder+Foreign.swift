// SVG and MathML: section 13.2.6.5 of the standard.
extension TreeBuilder {
    /// Start tags that end foreign content at any depth.
    private static let breakouts: TagSet = [
        .b, .big, .blockquote, .body, .br, .center, .code, .dd, .div, .dl, .dt, .em, .embed, .h1, .h2, .h3, .h4, .h5,
        .h6, .head, .hr, .i, .img, .li, .listing, .menu, .meta, .nobr, .ol, .p, .pre, .ruby, .s, .small, .span, .strong,
        .strike, .sub, .sup, .table, .tt, .u, .ul, .var,
    ]
    private static let fontAttributes: [AttributeName] = [.color, .face, .size]

    mutating func processInForeign(_ token: Token) -> Outcome {
        switch token {
        case .null: insertReplacementCharacter()
        case .text:
            insertText()
            if isFramesetOK, !isSpace(tokenizer.text) { isFramesetOK = false }
        case .comment: insertComment()
        case .doctype, .endOfFile: break
        case .startTag:
            if isBreakout { return breakOut() }
            insertForeign(adjustedCurrent.map { document.kinds[$0.node.row] } ?? .svg)
        case .endTag:
            if tag == .br || tag == .p { return breakOut() }
            return endInForeign()
        }
        return .done
    }

    private var isBreakout: Bool {
        if TreeBuilder.breakouts.contains(tag) { return true }
        guard tag == .font else { return false }
        return tokenizer.attributes[tokenizer.tagAttributes.range].contains { row in
            TreeBuilder.fontAttributes.contains { $0.rawValue == row.name }
        }
    }

    private mutating func breakOut() -> Outcome {
        while open.count > 1, current.traits.contains(.foreign),
            current.traits.isDisjoint(with: [.mathTextIntegrationPoint, .htmlIntegrationPoint])
        {
            pop()
        }
        return .againAsHTML
    }

    private mutating func endInForeign() -> Outcome {
        for index in open.indices.reversed() {
            if index == 0 { return .done }
            let element = open[index]
            if !element.traits.contains(.foreign) { return .againAsHTML }
            if isSpelledLikeTag(element.node) {
                while open.count > index { pop() }
                return .done
            }
        }
        return .done
    }

    /// Whether an element's name equals the current tag's name, ignoring case.
    private func isSpelledLikeTag(_ node: NodeID) -> Bool {
        let name = document.names[node.row]
        return name == tokenizer.name || svgElements[tokenizer.name] == name
    }

    // MARK: - Elements

    /// Inserts an SVG or MathML element for the current tag, and opens it unless the tag is self-closing.
    mutating func insertForeign(_ kind: Document.Kind) {
        let name = kind == .svg ? svgName(tokenizer.name) : tokenizer.name
        adjustAttributes(kind)
        let extent = tokenizer.tagAttributes
        let node = document.addRow(kind, name: name, extent: extent)
        insert(node, at: place())
        var traits = ElementTraits.foreign(Tag(rawValue: name) ?? .other, isSVG: kind == .svg)
        if kind == .math, name == Tag.annotationXML.rawValue, holdsHTML(extent) { traits.insert(.htmlIntegrationPoint) }
        if tokenizer.isSelfClosing || isFull { return }
        push(OpenElement(node: node, tag: .foreign, name: name, traits: traits))
    }

    /// Whether an annotation's `encoding` attribute says that its content is HTML.
    private func holdsHTML(_ attributes: Document.Extent) -> Bool {
        let encoding = tokenizer.attributeNames.knownCode(of: "encoding")
        for row in tokenizer.attributes[attributes.range] where row.name == encoding {
            let value = String(decoding: tokenizer.bytes[row.value.range], as: UTF8.self).lowercased()
            return value == "text/html" || value == "application/xhtml+xml"
        }
        return false
    }

    private mutating func svgName(_ name: UInt32) -> UInt32 {
        if let known = svgElements[name] { return known }
        let adjusted = ForeignNames.elements[tokenizer.elementNames.spelling(name)]
        let code = adjusted.map { tokenizer.elementNames.code(of: $0) } ?? name
        svgElements[name] = code
        return code
    }

    private mutating func adjustAttributes(_ kind: Document.Kind) {
        for row in tokenizer.tagAttributes.range {
            let name = tokenizer.attributes[row].name
            let key = UInt64(name) << 8 | UInt64(kind.rawValue)
            if foreignAttributes[key] == nil {
                let spelling = tokenizer.attributeNames.spelling(name)
                let adjusted = kind == .svg ? ForeignNames.attributes[spelling] : ForeignNames.mathAttributes[spelling]
                foreignAttributes[key] = adjusted.map { tokenizer.attributeNames.code(of: $0) } ?? name
            }
            if let adjusted = foreignAttributes[key] { tokenizer.attributes[row].name = adjusted }
        }
    }
}
