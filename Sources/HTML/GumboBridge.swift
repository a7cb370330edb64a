import CGumbo

// The only file that knows which parser stands behind `Document`.

/// What one parse may take.
public struct ParseBudget: Sendable {
    /// Bytes of source. 20 MB is also what the fetcher takes at most, unless its settings say otherwise.
    public var sourceBytes = 20_000_000
    /// Deepest element kept as nested; deeper ones become siblings, their text stays. Browsers use 512.
    public var depth = 512
    /// Bytes of the parser's own memory, however large the page: 20 MB of usual mark-up take 230 MiB.
    public var memoryBytes = 320 << 20
    /// Bytes of it to begin with, and for each byte of source. Real pages take about 9 a byte, plain text 4, tables of
    /// tiny cells 55, tags without text 90 (measured 2026-11 on Readability's pages and on made ones).
    public var memoryBase = 16 << 20
    public var memoryPerSourceByte = 64
    /// Processor seconds to begin with. The parser needs up to 0.15 s a megabyte on real pages, more than five times
    /// that is an attack (it is quadratic on deep or misnested mark-up).
    public var seconds = 1.0
    public var secondsPerMegabyte = 0.75

    public init() {}

    /// Bytes of memory that a page of so many bytes may take.
    public func memory(ofSource bytes: Int) -> Int {
        min(memoryBytes, memoryBase + memoryPerSourceByte * min(bytes, sourceBytes))
    }
}

/// The page would take more than its budget to parse.
public enum ParseError: Error, Equatable {
    case tooLarge(bytes: Int, limit: Int)
    case overBudget
    /// The system had no memory left: the page is not to blame.
    case outOfMemory
}

extension Document {
    /// Parses a page as browsers do, scripting off, comments dropped. The bytes are UTF-8; invalid ones become U+FFFD.
    ///
    /// Never fails on broken HTML, only on a page beyond its budget.
    public init(parsing source: [UInt8], budget: ParseBudget = ParseBudget()) throws(ParseError) {
        self.init()
        try parse(source, fragment: GUMBO_TAG_LAST, into: root, budget: budget)
    }

    public init(parsing source: String, budget: ParseBudget = ParseBudget()) throws(ParseError) {
        try self.init(parsing: Array(source.utf8), budget: budget)
    }

    /// Parses text as the content of a `body`; the children of the answer are the result.
    public mutating func parseFragment(
        _ source: [UInt8], budget: ParseBudget = ParseBudget()
    ) throws(ParseError) -> NodeID {
        let fragment = addRow(.fragment, name: Tag.none.rawValue, extent: Extent())
        try parse(source, fragment: GUMBO_TAG_BODY, into: fragment, budget: budget)
        return fragment
    }

    private mutating func parse(
        _ source: [UInt8], fragment: GumboTag, into target: NodeID, budget: ParseBudget
    ) throws(ParseError) {
        guard source.count <= budget.sourceBytes else {
            throw .tooLarge(bytes: source.count, limit: budget.sourceBytes)
        }
        bytes.reserveCapacity(bytes.count + source.count)
        let seconds = budget.seconds + budget.secondsPerMegabyte * Double(source.count) / 1e6
        let end = source.withUnsafeBufferPointer { text in
            let skipped = text.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
            return text.withMemoryRebound(to: CChar.self) { characters -> ParseError? in
                // An empty array may have no address; gumbo then gets an empty C string of our own.
                guard let start = characters.baseAddress, characters.count > skipped else {
                    return adopt("", 0, fragment, budget, seconds, into: target)
                }
                return adopt(start + skipped, characters.count - skipped, fragment, budget, seconds, into: target)
            }
        }
        if let end { throw end }
    }

    /// - Returns: why the page could not be parsed, or nil.
    private mutating func adopt(
        _ text: UnsafePointer<CChar>, _ count: Int, _ fragment: GumboTag, _ budget: ParseBudget, _ seconds: Double,
        into target: NodeID
    ) -> ParseError? {
        var isOutOfMemory = false
        guard
            let state = lectern_gumbo_parse(
                text, count, fragment, budget.memory(ofSource: count), UInt64(seconds * 1e9), &isOutOfMemory),
            let output = state.pointee.output
        else { return isOutOfMemory ? .outOfMemory : .overBudget }
        defer { lectern_gumbo_free(state) }
        if fragment == GUMBO_TAG_LAST {
            isQuirky = output.pointee.document.pointee.v.document.doc_type_quirks_mode == GUMBO_DOCTYPE_QUIRKS
            copy(
                childrenOf: output.pointee.document.pointee.v.document.children, to: target, maximumDepth: budget.depth)
        } else {
            // In the fragment case gumbo hangs the result below an `html` element of its own.
            copy(childrenOf: output.pointee.root.pointee.v.element.children, to: target, maximumDepth: budget.depth)
        }
        return nil
    }

    // MARK: Copying gumbo's tree

    private struct Frame {
        var children: GumboVector
        var next: UInt32 = 0
        let parent: NodeID
        let depth: Int
    }

    private mutating func copy(childrenOf children: GumboVector, to target: NodeID, maximumDepth: Int) {
        var open = [Frame(children: children, parent: target, depth: 0)]
        while let top = open.indices.last {
            guard open[top].next < open[top].children.length else {
                open.removeLast()
                continue
            }
            let slot = open[top].children.data[Int(open[top].next)]
            open[top].next += 1
            // gumbo's vectors of children hold nodes and no null; a null would only be left out.
            guard let node = slot?.assumingMemoryBound(to: GumboNode.self) else { continue }
            copy(node, into: &open, maximumDepth: maximumDepth)
        }
    }

    private mutating func copy(_ node: UnsafePointer<GumboNode>, into open: inout [Frame], maximumDepth: Int) {
        let frame = open[open.count - 1]
        switch node.pointee.type {
        case GUMBO_NODE_TEXT, GUMBO_NODE_WHITESPACE, GUMBO_NODE_CDATA:
            appendText(node.pointee.v.text.text, to: frame.parent)
        case GUMBO_NODE_ELEMENT, GUMBO_NODE_TEMPLATE:
            let element = copyElement(node.pointee.v.element)
            append(element, to: frame.parent)
            var inside = frame.depth < maximumDepth ? element : frame.parent
            if node.pointee.type == GUMBO_NODE_TEMPLATE {
                inside = addRow(.fragment, name: Tag.none.rawValue, extent: Extent())
                templateContents[element] = inside
            }
            open.append(Frame(children: node.pointee.v.element.children, parent: inside, depth: frame.depth + 1))
        default:
            break
        }
    }

    /// Neighbouring texts are joined: where a comment was dropped there is one text, as if it had never been.
    private mutating func appendText(_ text: UnsafePointer<CChar>?, to parent: NodeID) {
        guard let text else { return }
        let content = raw(text)
        if let last = lastChild(parent), isText(last), extents[last.row].range.upperBound == bytes.count {
            bytes.append(contentsOf: content)
            extents[last.row].count += UInt32(content.count)
        } else {
            append(makeText(content), to: parent)
        }
    }

    private mutating func copyElement(_ element: GumboElement) -> NodeID {
        let kind: Kind =
            switch element.tag_namespace {
            case GUMBO_NAMESPACE_SVG: .svg
            case GUMBO_NAMESPACE_MATHML: .math
            default: .html
            }
        let code = elementNames.code(of: elementName(element))
        let start = attributes.count
        for index in 0..<Int(element.attributes.length) {
            guard let slot = element.attributes.data[index] else { continue }
            let attribute = slot.assumingMemoryBound(to: GumboAttribute.self).pointee
            let name = attributeNames.code(of: attributeName(attribute))
            attributes.append(AttributeRow(name: name, value: store(raw(attribute.value))))
        }
        return addRow(
            kind, name: code, extent: Extent(start: UInt32(start), count: UInt32(attributes.count - start)))
    }

    private func elementName(_ element: GumboElement) -> String {
        if element.tag != GUMBO_TAG_UNKNOWN && element.tag_namespace == GUMBO_NAMESPACE_HTML {
            return String(cString: gumbo_normalized_tagname(element.tag))
        }
        var original = element.original_tag
        if element.tag_namespace == GUMBO_NAMESPACE_SVG {
            gumbo_tag_from_original_text(&original)
            if let corrected = gumbo_normalize_svg_tagname(&original) { return String(cString: corrected) }
        } else {
            gumbo_tag_from_original_text(&original)
        }
        // Without original text the parser made the element itself, and then it knows the name.
        guard let start = original.data, original.length > 0 else {
            return String(cString: gumbo_normalized_tagname(element.tag))
        }
        let name = UnsafeRawBufferPointer(start: start, count: original.length)
        return String(decoding: name, as: UTF8.self).lowercased()
    }

    private func attributeName(_ attribute: GumboAttribute) -> String {
        let name = String(cString: attribute.name)
        return switch attribute.attr_namespace {
        case GUMBO_ATTR_NAMESPACE_XLINK: "xlink:" + name
        case GUMBO_ATTR_NAMESPACE_XML: "xml:" + name
        case GUMBO_ATTR_NAMESPACE_XMLNS: name == "xmlns" ? name : "xmlns:" + name
        default: name
        }
    }

    private func raw(_ text: UnsafePointer<CChar>) -> UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: text, count: lectern_gumbo_length(text))
    }
}
