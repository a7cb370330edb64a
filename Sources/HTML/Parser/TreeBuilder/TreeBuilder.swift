/// Builds a document from tokens, following section 13.2.6 of the HTML standard, with scripting off.
///
/// Source: https://html.spec.whatwg.org/multipage/parsing.html#tree-construction. Each "reprocess the token" is an
/// iteration of one loop; nothing recurses.
///
/// Like every browser, it adds limits to the standard. The stack of open elements is limited to the budget's depth: on
/// a full stack an element is closed as soon as it is opened, and its content follows it as siblings. The list of
/// active formatting elements is limited to ``maximumFormatting``. These limits bound every search, so that parsing
/// takes time proportional to the page.
struct TreeBuilder {
    /// Maximum length of the list of active formatting elements; real pages have at most a dozen.
    static let maximumFormatting = 128

    /// The insertion modes.
    enum Mode {
        case initial, beforeHTML, beforeHead, inHead, inHeadNoscript, afterHead, inBody, text, inTable, inTableText
        case inCaption, inColumnGroup, inTableBody, inRow, inCell, inTemplate, afterBody, inFrameset, afterFrameset
        case afterAfterBody, afterAfterFrameset
    }

    /// The result of processing a token.
    enum Outcome {
        case done
        /// Process the token again in the new insertion mode.
        case again
        /// Same, using the rules for HTML content even though a foreign element is current.
        case againAsHTML
    }

    struct OpenElement {
        var node: NodeID
        /// `foreign` for SVG and MathML elements.
        var tag: Tag
        /// Code of the element's name.
        var name: UInt32
        var traits: ElementTraits
    }

    /// An entry in the list of active formatting elements.
    struct FormattingElement {
        /// Nil for a marker.
        var node: NodeID?
        var tag = Tag.none
        /// Last known index of the element in the stack.
        var depth = 0
        /// A hash of the attributes: different attributes have different signatures, except for collisions.
        var signature: UInt64 = 0
    }

    var tokenizer: Tokenizer
    var document: Document
    let budget: ParseBudget

    var mode = Mode.initial
    /// The mode to return to after text and table text.
    var originalMode = Mode.inBody
    var templateModes: [Mode] = []
    var open: [OpenElement] = []
    /// Number of open HTML elements per name code. Most searches end here without scanning the stack.
    var openCounts = [Int32](repeating: 0, count: Tag.allCases.count)
    var formatting: [FormattingElement] = []
    var head: NodeID?
    var form: NodeID?
    var isFramesetOK = true
    var isFosterParenting = false
    var ignoresLineFeed = false
    /// Consecutive texts in a table, which are processed together.
    var tableText: [Document.Extent] = []
    /// In the fragment case, the element whose content is parsed.
    var context: OpenElement?
    /// Free bytes after a text that was moved while joining it with another.
    var freeBytesAfter: [NodeID: Int] = [:]
    /// Attributes that repeated `html` and `body` tags add to the first ones.
    var lateAttributes: [NodeID: LateAttributes] = [:]
    /// Codes of mixed-case foreign names by the codes of their lower-case spellings.
    var svgElements: [UInt32: UInt32] = [:]
    var foreignAttributes: [UInt64: UInt32] = [:]

    // MARK: - Current token

    /// The tag's name; `other` for an unknown name.
    var tag = Tag.none

    init(_ document: consuming Document, from start: Int, budget: ParseBudget, keepsComments: Bool) {
        var document = document
        tokenizer = Tokenizer(&document, from: start)
        tokenizer.keepsComments = keepsComments
        tokenizer.maximumAttributes = budget.attributes
        self.document = document
        self.budget = budget
    }

    /// Builds the whole page. Throws if the page exceeds the budget; what was built so far stays in ``document``.
    mutating func build() throws(ParseError) {
        // Maximum number of elements, texts and attributes for a page of this size. Clones of formatting elements can
        // create far more of them than the page has tags.
        let maxNodes = budget.nodes(ofSource: tokenizer.end - tokenizer.position)
        let first = document.nodeCount + tokenizer.attributes.count
        var depths = 0
        while true {
            let token = tokenizer.next()
            let before = document.nodeCount
            process(token)
            depths += (document.nodeCount - before) * open.count
            let made = document.nodeCount + tokenizer.attributes.count - first
            if made > maxNodes || depths > budget.depths(ofNodes: made) { throw .overBudget }
            if token == .endOfFile { return }
        }
    }

    /// Returns the document with everything built so far.
    mutating func finish() -> Document {
        document.attributes = tokenizer.attributes
        document.bytes = tokenizer.bytes
        document.elementNames = tokenizer.elementNames
        document.attributeNames = tokenizer.attributeNames
        addLateAttributes()
        return document
    }

    private mutating func process(_ token: Token) {
        tag = token == .startTag || token == .endTag ? Tag(rawValue: tokenizer.name) ?? .other : .none
        if ignoresLineFeed {
            ignoresLineFeed = false
            if token == .text, tokenizer.bytes[Int(tokenizer.text.start)] == 0x0A {
                tokenizer.text.start += 1
                tokenizer.text.count -= 1
                if tokenizer.text.count == 0 { return }
            }
        }
        var outcome = Outcome.again
        while outcome != .done {
            outcome = isForHTML(token) || outcome == .againAsHTML ? processInMode(token) : processInForeign(token)
        }
        tokenizer.allowsCDATA = adjustedCurrent?.traits.contains(.foreign) ?? false
    }

    /// The standard's tree construction dispatcher: whether the token is processed by the rules for HTML content.
    private func isForHTML(_ token: Token) -> Bool {
        guard let current = adjustedCurrent, current.traits.contains(.foreign), token != .endOfFile else { return true }
        if current.traits.contains(.mathTextIntegrationPoint) {
            if token == .startTag { return tag != .mglyph && tag != .malignmark }
            if token == .text || token == .null { return true }
        }
        if token == .startTag, tag == .svg, isAnnotation(current.node) { return true }
        if current.traits.contains(.htmlIntegrationPoint) {
            return token == .startTag || token == .text || token == .null
        }
        return false
    }

    private func isAnnotation(_ node: NodeID) -> Bool {
        document.kinds[node.row] == .math && document.names[node.row] == Tag.annotationXML.rawValue
    }

    private mutating func processInMode(_ token: Token) -> Outcome {
        switch mode {
        case .inBody: inBody(token)
        case .text: inText(token)
        case .inTable: inTable(token)
        case .inTableText: inTableText(token)
        case .inTableBody: inTableBody(token)
        case .inRow: inRow(token)
        case .inCell: inCell(token)
        case .inHead: inHead(token)
        case .inCaption: inCaption(token)
        case .inColumnGroup: inColumnGroup(token)
        case .inTemplate: inTemplate(token)
        case .initial: initial(token)
        case .beforeHTML: beforeHTML(token)
        case .beforeHead: beforeHead(token)
        case .inHeadNoscript: inHeadNoscript(token)
        case .afterHead: afterHead(token)
        case .afterBody: afterBody(token)
        case .inFrameset: inFrameset(token)
        case .afterFrameset: afterFrameset(token)
        case .afterAfterBody: afterAfterBody(token)
        case .afterAfterFrameset: afterAfterFrameset(token)
        }
    }

    /// The current node, or the context element if the fragment's root is the current node.
    var adjustedCurrent: OpenElement? { open.count == 1 && context != nil ? context : open.last }

    /// The current node. It always exists here: the first element of the stack is never popped.
    var current: OpenElement { open[open.count - 1] }

    /// The standard's "reset the insertion mode appropriately".
    mutating func resetMode() {
        for index in open.indices.reversed() {
            let isLast = index == 0
            let element = isLast ? context ?? open[0] : open[index]
            switch element.tag {
            case .td, .th: if !isLast { return mode = .inCell }
            case .tr: return mode = .inRow
            case .tbody, .thead, .tfoot: return mode = .inTableBody
            case .caption: return mode = .inCaption
            case .colgroup: return mode = .inColumnGroup
            case .table: return mode = .inTable
            case .template: return mode = templateModes.last ?? .inTemplate
            case .head: if !isLast { return mode = .inHead }
            case .body: return mode = .inBody
            case .frameset: return mode = .inFrameset
            case .html: return mode = head == nil ? .beforeHead : .afterHead
            default: break
            }
        }
        mode = .inBody
    }
}
