/// Builds a document of tokens, by section 13.2.6 of the HTML standard, scripting off.
///
/// Source: https://html.spec.whatwg.org/multipage/parsing.html#tree-construction. Every "reprocess the token" is a round of
/// one loop: nothing recurses.
///
/// Beyond the standard it has bounds, as every browser has. The stack of open elements ends at the budget's depth: where it
/// is full an element is closed as soon as it is opened, and what it would have held stands behind it. The list of active
/// formatting elements ends at ``mostFormatting``. So that every search in them, and with it the whole, takes time in
/// proportion to the page.
struct TreeBuilder {
    /// Entries of the list of active formatting elements; real pages have a dozen at most.
    static let mostFormatting = 128

    /// The insertion modes.
    enum Mode {
        case initial, beforeHTML, beforeHead, inHead, inHeadNoscript, afterHead, inBody, text, inTable, inTableText
        case inCaption, inColumnGroup, inTableBody, inRow, inCell, inTemplate, afterBody, inFrameset, afterFrameset
        case afterAfterBody, afterAfterFrameset
    }

    /// What becomes of a token.
    enum Outcome {
        case done
        /// It is processed again, in the mode that is in force now.
        case again
        /// The same, by the rules for HTML although a foreign element is current.
        case againAsHTML
    }

    struct OpenElement {
        var node: NodeID
        /// `foreign` for SVG and MathML.
        var tag: Tag
        /// Code of the element's name.
        var name: UInt32
        var traits: ElementTraits
    }

    /// An entry of the list of active formatting elements.
    struct FormattingElement {
        /// Nil is a marker.
        var node: NodeID?
        var tag = Tag.none
        /// Where in the stack the element was seen last.
        var depth = 0
        /// Differs, but for chance, where attributes differ.
        var signature: UInt64 = 0
    }

    var tokenizer: Tokenizer
    var document: Document
    let budget: ParseBudget

    var mode = Mode.initial
    /// The mode to come back to after text and table text.
    var originalMode = Mode.inBody
    var templateModes: [Mode] = []
    var open: [OpenElement] = []
    /// How many open HTML elements have a name, by its code: most searches end before they begin.
    var openCounts = [Int32](repeating: 0, count: Tag.allCases.count)
    var formatting: [FormattingElement] = []
    var head: NodeID?
    var form: NodeID?
    var isFramesetOK = true
    var isFosterParenting = false
    var ignoresLineFeed = false
    /// The texts of a table that are looked at together.
    var tableText: [Document.Extent] = []
    /// In the fragment case the element whose content is parsed.
    var context: OpenElement?
    /// Room behind a text that was moved to be joined with another, in bytes.
    var roomBehind: [NodeID: Int] = [:]
    /// Attributes that later `html` and `body` tags add to the first ones.
    var lateAttributes: [NodeID: LateAttributes] = [:]
    /// Codes of foreign names by the codes of their small letters.
    var svgElements: [UInt32: UInt32] = [:]
    var foreignAttributes: [UInt64: UInt32] = [:]

    // MARK: - The token at hand

    /// The tag's name; `other` when we do not know it.
    var tag = Tag.none

    init(_ document: consuming Document, from start: Int, budget: ParseBudget, keepsComments: Bool) {
        var document = document
        tokenizer = Tokenizer(&document, from: start)
        tokenizer.keepsComments = keepsComments
        tokenizer.mostAttributes = budget.attributes
        self.document = document
        self.budget = budget
    }

    /// Builds the whole page, or as much of it as the budget allows.
    mutating func build() throws(ParseError) {
        // Elements, texts and attributes that a page of this size may have: clones of formatting elements can make far
        // more of them than the page has tags.
        let most = budget.nodes(ofSource: tokenizer.end - tokenizer.position)
        let first = document.nodeCount + tokenizer.attributes.count
        var depths = 0
        while true {
            let token = tokenizer.next()
            let before = document.nodeCount
            process(token)
            depths += (document.nodeCount - before) * open.count
            let made = document.nodeCount + tokenizer.attributes.count - first
            if made > most || depths > budget.depths(ofNodes: made) { throw .overBudget }
            if token == .endOfFile { return }
        }
    }

    /// Gives the document back, with all that was built.
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

    /// The tree construction dispatcher.
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

    /// The current node, but the context element where a fragment's root is current.
    var adjustedCurrent: OpenElement? { open.count == 1 && context != nil ? context : open.last }

    /// The current node. There is always one where this is asked: the stack's first element is never popped.
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
